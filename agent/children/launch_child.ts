import type { ChildRequest } from "../../tools/subagent/children.ts";
import { rulesOf } from "../gate/rules.ts";
import type { Session } from "../session/session.ts";
import type { PreparedChild } from "./child_run.ts";
import {
  childOptions,
  childTools,
  childVariables,
  type Inheritance,
  mustBeConfined,
  type VariableRecord,
  wantedRights,
} from "./inheritance.ts";
import { childCommand, childEnvironment, ownProgram } from "./program.ts";
import type { Role } from "./roles.ts";
import { runtimeRights } from "./runtime_rights.ts";

/** What a session hands on to its children. */
export interface Household extends Inheritance {
  readonly session: Pick<Session, "id" | "conversation">;
  readonly variables: VariableRecord;
  /** The tools that its own task is offered, as of now. */
  readonly offered: () => readonly string[];
  /** How deep this session is itself: 0 for a person's. */
  readonly depth: number;
  readonly maxDepth: number;
  readonly hasPerson: boolean;
  /** The trace that a child goes on with; undefined: none. */
  readonly traceparentOf: (childId: string) => string | undefined;
}

/** A child that is to be started, and what it is asked for. */
export interface ChildToStart {
  /** As `c1`. */
  readonly id: string;
  readonly role: Role;
  readonly request: ChildRequest;
}

const APART = "You work in a copy of the workspace that is yours alone: what you change in its " +
  "files is brought into the workspace when you are done, committed or not.";

/**
 * Everything by which a child is started: the program again, as this one was started, with its
 * parent's rights or less. `apart` is the worktree in which it works, if not in its parent's folder.
 * @throws {Error} where the role has no tool that its parent has.
 */
export function prepareChild(
  household: Household,
  { id, role, request: { prompt, schema, limits, answersQuestions } }: ChildToStart,
  apart?: string,
): PreparedChild {
  const { launch, rights, session, depth, maxDepth, hasPerson } = household;
  const traceparent = household.traceparentOf(id);
  const mayHaveChildren = depth + 1 < maxDepth;
  // Tools of foreign servers stay with whoever started these.
  const own = new Set(launch.catalogue.map(({ name }) => name));
  const parents = household.offered().filter((name) => own.has(name));
  const tools = childTools(parents, role, { mayHaveChildren, answersQuestions });
  if (tools.length === 0) {
    throw new Error(`Cannot start a sub-agent as "${role.name}": none of its tools is on here`);
  }
  const variables = {
    // Deno looks programs up there; who may not read it takes what commands get.
    PATH: launch.environment["PATH"] ?? "",
    ...childVariables(household.variables, role, launch.configuration.config),
    ...(traceparent !== undefined && { TRACEPARENT: traceparent }),
  };
  const program = ownProgram();
  const runtime = runtimeRights(wantedRights(household, variables, apart));
  const standing = rulesOf(session.conversation.standingApprovals);
  return {
    start: {
      argv: childCommand(program, runtime),
      environment: childEnvironment(program, runtime, variables),
      cwd: launch.places.cwd,
    },
    task: {
      prompt,
      ...(schema !== undefined && { schema: JSON.stringify(schema) }),
      options: childOptions(household, role, { tools, maxTurns: limits.maxTurns, apart }),
      cwd: launch.places.cwd,
      subAgent: {
        instructions: apart === undefined ? role.instructions : `${role.instructions} ${APART}`,
        standing: {
          parent: session.id,
          role: role.name,
          depth: depth + 1,
          confined: mustBeConfined(rights),
          rules: standing.filter(({ decision }) => decision === "deny"),
          hasPerson,
          answersQuestions,
        },
      },
    },
  };
}
