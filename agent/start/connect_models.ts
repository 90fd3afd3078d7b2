import { resolve } from "node:path";
import type { ApplyModel } from "../../tools/tool.ts";
import { applyModel } from "./apply_model.ts";
import type { ReadVariable } from "../environment.ts";
import type { Launch } from "../launch.ts";
import { createModel } from "../model/connect.ts";
import type { Model } from "../model/model.ts";

/** The model that the settings name; `loadBlob` finds the images that are sent to it. */
export function connectModel(
  { settings, places }: Launch,
  env: ReadVariable,
  loadBlob: (name: string) => Promise<Uint8Array | undefined>,
): Model {
  const { model = "", provider, apiKey } = settings;
  const behindProxy = Boolean(env("HTTPS_PROXY") ?? env("HTTP_PROXY"));
  return createModel({
    name: model,
    provider,
    ...(apiKey !== undefined && { apiKey }),
    async loadBlob(name) {
      const bytes = await loadBlob(name);
      if (bytes) return bytes;
      throw new Deno.errors.NotFound(`Cannot send image "${name}": it is gone`);
    },
    readText: (path) => Deno.readTextFile(resolve(places.cwd, path)),
    // Behind a proxy nothing is reached directly, so a look at the address itself tells nothing.
    ...(behindProxy && { probe: () => Promise.resolve(true) }),
  });
}

/** The model that merges edits; undefined where none is named, or nobody agreed to it. */
export function connectApplyModel(
  { settings, applyModel: agreed }: Launch,
): ApplyModel | undefined {
  const { applyModel: chosen } = settings;
  if (!chosen || !agreed) return undefined;
  return applyModel(createModel({
    name: chosen.model,
    provider: chosen.provider,
    ...(chosen.apiKey !== undefined && { apiKey: chosen.apiKey }),
    loadBlob: (name) => Promise.reject(new Deno.errors.NotFound(name)),
    readText: (path) => Deno.readTextFile(path),
  }));
}
