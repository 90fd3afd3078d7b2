import type { Rectangle } from "../image/picture.ts";
import type { ScreenWindow } from "./screen.ts";

/** The part of the screen that a window takes; past the left and upper edges there is none. */
export function areaOf({ place }: ScreenWindow): Rectangle {
  const x = Math.max(0, place.x);
  const y = Math.max(0, place.y);
  // A window beside the screen leaves a part that is outside of it, which is told.
  return {
    x,
    y,
    width: Math.max(1, place.x + place.width - x),
    height: Math.max(1, place.y + place.height - y),
  };
}
