import { createDialer } from "../sandbox/egress/dial.ts";
import { createNet } from "../sandbox/egress/net.ts";
import type { EgressEvent, EgressLog } from "../sandbox/egress/events.ts";
import { egressGate } from "../sandbox/egress/permission.ts";
import { type EgressProxy, startProxy } from "../sandbox/egress/proxy.ts";
import type { EgressRules } from "../sandbox/egress/rules.ts";
import { socketPaths } from "../sandbox/egress/socket.ts";
import type { Net } from "../sandbox/net.ts";
import type { BrowserWayOut } from "./browser/make_ground.ts";
import { isOwnHost, pageGate } from "./browser/page_gate.ts";
import { askWhileWorking, type EgressQuestions } from "./egress_questions.ts";
import type { Launch } from "./launch.ts";
import { collectorOf, hostOf } from "./settings.ts";

/** The ways out of a run, the model's apart: one gate for commands and tools. */
export interface Egress extends AsyncDisposable {
  readonly net: Net;
  /** The way out of commands; absent where the profile has none. */
  readonly proxy: EgressProxy | undefined;
  /**
   * Opens a way out for a browser, of its own; `heard` is told what happens on it.
   * @throws {Error} where no socket can be had.
   */
  openForBrowser(heard: EgressLog): Promise<BrowserWayOut>;
  /**
   * Runs work in which a person can be asked; a plain yes or no holds until it has ended. What is
   * still asked then, or when the signal is raised, is withdrawn. In between nobody looks, and nothing
   * is asked.
   */
  during<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export interface EgressAudience {
  /** How to ask for hosts that are not on the list; absent where nobody can be asked. */
  readonly questions?: EgressQuestions;
  log(event: EgressEvent): void;
}

/**
 * Opens the ways out that the profile has.
 * @throws {Error} where the proxy's socket cannot be had.
 */
export async function openEgress(launch: Launch, audience: EgressAudience): Promise<Egress> {
  const { settings, places } = launch;
  // What a flag denies as a whole is no question.
  const mayAsk = launch.grants.denied("net") !== "all";
  const asking = mayAsk && audience.questions ? askWhileWorking(audience.questions) : undefined;
  const gate = egressGate({ rules: egressRules(launch), ...(asking && { ask: asking.ask }) });
  const log = audience.log;
  const { allow } = egressRules(launch);
  const granted = allow === "all" ? [] : allow;
  const dialer = createDialer({ denied: deniedNet(launch), granted });
  const proxy = settings.profile === "egress" && places.state !== undefined
    ? await startProxy({ paths: socketPaths(places.state), gate, log, dialer })
    : undefined;
  return {
    net: createNet({ gate, log, dialer }),
    proxy,
    async openForBrowser(heard) {
      if (places.state === undefined) {
        throw new Error("Cannot start a browser: no state folder is granted");
      }
      const pages = pageGate(gate, egressRules(launch));
      const own = await startProxy({
        ...{ paths: socketPaths(places.state), gate: pages, dialer },
        log(event) {
          heard(event);
          // What browsers ask for by themselves is nobody's business, and never reached.
          const silent = event.type === "refused" && event.host && isOwnHost(event.host);
          if (!silent) log({ ...event, source: "tool" });
        },
      });
      return {
        path: own.path,
        beginStep: () => pages.beginStep(),
        [Symbol.asyncDispose]: () => own[Symbol.asyncDispose](),
      };
    },
    async during(signal, work) {
      using _working = asking?.begin(signal, () => gate.forgetAnswers());
      return await work();
    },
    async [Symbol.asyncDispose]() {
      await proxy?.[Symbol.asyncDispose]();
    },
  };
}

/**
 * The hosts that commands and tools may reach: what was granted, less the model's servers and the
 * collector of traces, which serve ourselves alone unless `--egress` names them.
 */
export function egressRules(launch: Pick<Launch, "grants" | "settings">): EgressRules {
  const { grants, settings } = launch;
  const { provider, applyModel, egress } = settings;
  const collector = collectorOf(settings);
  const own = [
    ...[provider, ...(applyModel ? [applyModel.provider] : [])].map(hostOf),
    ...(collector === undefined ? [] : [collector]),
  ];
  const granted = grants.extent("net");
  const named = egress.map((host) => host.toLowerCase());
  const isNamed = (host: string) =>
    named.some((name) => host === name || host.startsWith(`${name}:`));
  return {
    allow: granted === "all"
      ? "all"
      : [...granted.filter((host) => !own.includes(withPort(host)) || isNamed(host)), ...named],
    deny: [...own.filter((host) => !isNamed(host)), ...deniedNet(launch)],
  };
}

/** Hosts and addresses that a flag denies; all of them leaves nothing that is granted. */
function deniedNet({ grants }: Pick<Launch, "grants">): readonly string[] {
  const denied = grants.denied("net");
  return denied === "all" ? [] : denied;
}

function withPort(host: string): string {
  return /:\d+$/.test(host) ? host : `${host}:443`;
}
