import type { EgressRefusal } from "./rules.ts";

/** Who wanted out: a command through the proxy, or a tool by its capability. */
export type EgressSource = "command" | "tool";

/** What is logged of the way out; never content. */
export type EgressEvent =
  | {
    readonly type: "opened";
    readonly id: number;
    readonly source: EgressSource;
    readonly host: string;
    readonly port: number;
    readonly address: string;
  }
  | {
    readonly type: "closed";
    /** That of the `opened` before. */
    readonly id: number;
    readonly source: EgressSource;
    readonly host: string;
    readonly port: number;
    /** Payload, in bytes. */
    readonly bytesUp: number;
    readonly bytesDown: number;
  }
  | {
    readonly type: "refused";
    readonly source: EgressSource;
    readonly host?: string;
    readonly port?: number;
    readonly reason: EgressRefusal;
    /** One sentence for model and person. */
    readonly message: string;
  };

/** Takes events; must not throw. */
export type EgressLog = (event: EgressEvent) => void;
