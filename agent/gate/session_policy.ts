import { isConfined } from "../../sandbox/rights/tier.ts";
import type { Backing } from "../backing/backing.ts";
import type { Enclosure } from "../enclosure.ts";
import type { Launch } from "../launch.ts";
import type { Session } from "../session/log.ts";
import type { GatePlace, GatePolicy } from "./gate.ts";
import { judgeByText } from "./judge_by_text.ts";
import { obeyedCheck } from "./obeyed.ts";
import { createLossCheck } from "./overwriting.ts";
import { realPath } from "./real_path.ts";

/** What a session's gate is made of. */
export interface SessionPolicyParts {
  readonly launch: Launch;
  readonly enclosure: Enclosure;
  readonly backing: Backing;
  readonly session: Pick<Session, "header">;
}

/** What the gate of a session goes by: its settings, what confines it, and where its shell stands. */
export function sessionPolicy(
  { launch, enclosure: { rights }, backing, session }: SessionPolicyParts,
): GatePolicy {
  const { shell, commands, capabilities: { files } } = backing;
  const place: GatePlace = {
    cwd: () => shell.cwd,
    realPath: (path) => realPath(files, path),
  };
  const since = new Date(session.header.created);
  return {
    mode: launch.settings.approval,
    confined: isConfined(rights.confinement),
    judge: judgeByText(
      () => ({ workspace: rights.workspace, cwd: shell.cwd }),
      createLossCheck({ files, commands, since }),
    ),
    obeyed: obeyedCheck(place.realPath, rights.workspace),
    place,
  };
}
