import { fittedSize } from "../image/fit.ts";
import type { Size } from "../image/picture.ts";
import type { Point } from "./desktop.ts";

/** A point of the picture of a screen on the screen itself; undefined where it lies outside. Pure. */
export function onScreen(point: Point, screen: Size): Point | undefined {
  const shown = fittedSize(screen);
  if (point.x < 0 || point.y < 0 || point.x >= shown.width || point.y >= shown.height) {
    return undefined;
  }
  // The middle of what one pixel of the picture shows.
  return {
    x: Math.floor((point.x + 0.5) * screen.width / shown.width),
    y: Math.floor((point.y + 0.5) * screen.height / shown.height),
  };
}

/** A point of the screen in its picture. Pure. */
export function inPicture(point: Point, screen: Size): Point {
  const shown = fittedSize(screen);
  return {
    x: Math.floor((point.x + 0.5) * shown.width / screen.width),
    y: Math.floor((point.y + 0.5) * shown.height / screen.height),
  };
}
