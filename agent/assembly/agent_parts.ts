import type { Person } from "../../tools/tool.ts";
import type { Backing } from "../backing/backing.ts";
import type { SessionChildren } from "../children/session_children.ts";
import type { EditChecks } from "../edit_checks/edit_checks.ts";
import type { Egress } from "../egress.ts";
import type { Enclosure } from "../enclosure.ts";
import type { EventSink } from "../events.ts";
import type { Approver } from "../gate/approver.ts";
import type { InTurn } from "../gate/in_turn.ts";
import type { AgentHooks } from "../hooks/open_hooks.ts";
import type { Instructions } from "../instructions.ts";
import type { Launch } from "../launch.ts";
import type { ForeignTools } from "../mcp/foreign_tools.ts";
import type { Model } from "../model/model.ts";
import type { Observe } from "../observation/observation.ts";
import type { Redaction } from "../redaction.ts";
import type { Session } from "../session/log.ts";
import type { SkillShelf } from "../skills/skill_shelf.ts";
import type { TaskSnapshots } from "../snapshots/task_snapshots.ts";

/** What an agent is made of. */
export interface AgentParts {
  readonly launch: Launch;
  readonly enclosure: Enclosure;
  readonly egress: Egress;
  readonly session: Session;
  readonly model: Model;
  readonly backing: Backing;
  readonly approve: Approver;
  /** Lets questions wait for each other. */
  readonly inTurn: InTurn;
  /** Who answers the questions of the model; absent where nobody does. */
  readonly person?: Person;
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  readonly instructions: Instructions;
  /** JSON Schema that the answer must fit, as JSON. */
  readonly answerSchema?: string;
  readonly snapshots: TaskSnapshots;
  /** Absent where no tool could start one. */
  readonly children?: SessionChildren;
  /** Tools, resources and prompts of MCP servers; absent where none is configured. */
  readonly foreign?: ForeignTools;
  /** Of a sub-agent: how its role works. */
  readonly role?: string;
  readonly skills: SkillShelf;
  /** Absent where none are configured. */
  readonly hooks?: AgentHooks;
  /** What is done around edits; absent: nothing. */
  readonly edits?: EditChecks;
  /** Of what is logged; events and questions come redacted already. */
  readonly redaction: Redaction;
  readonly emit: EventSink;
  /** Takes what is no event, for those who record the run; absent: nobody does. */
  readonly observe?: Observe;
  readonly logError: (error: unknown) => void;
  readonly now: () => Date;
}
