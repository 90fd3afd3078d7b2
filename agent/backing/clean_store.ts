import type { Store } from "../../tools/tool.ts";
import type { Redaction } from "../redaction.ts";
import type { Sweeping } from "./sweeping.ts";

/** Lists that are too long to be shown are kept without secrets; images as they are. */
export function cleanStore(store: Store, sweeping: Sweeping, redaction: Redaction): Store {
  return {
    async save(name, bytes) {
      if (!name.endsWith(".txt")) return await store.save(name, bytes);
      await sweeping.ready();
      const clean = redaction.redact(new TextDecoder().decode(bytes));
      return await store.save(name, new TextEncoder().encode(clean));
    },
  };
}
