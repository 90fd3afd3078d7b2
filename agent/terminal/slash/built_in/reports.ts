import { todoWrite } from "../../../../tools/todo_write.ts";
import { rulesOf } from "../../../gate/rules.ts";
import { rulesText } from "../../approval/rules_text.ts";
import { usageText } from "../../output.ts";
import { renderTodos, todoProgress } from "../../render/todo.ts";
import { rightsReport, toolsReport } from "../../reports.ts";
import type { SlashCommand } from "../command.ts";
import type { Desk } from "../desk.ts";

/** `/rights`: what this process may do, as `cordon rights`, and what was answered for the session. */
export const rightsCommand = report(
  "rights",
  "show what this session may do",
  ({ seat: { agent } }) => {
    const rules = rulesOf(agent.session.conversation.standingApprovals);
    return rightsReport(agent.launch, agent.enclosure) + rulesText(rules);
  },
);

/** `/tools`: every tool and why it is not offered, as `cordon tools`. */
export const toolsCommand = report(
  "tools",
  "show the tools, and why some are not offered",
  ({ seat: { agent } }) => toolsReport(agent.enclosure.tools),
);

/** `/cost`: tokens and cost of the session. */
export const costCommand = report("cost", "show tokens and cost of this session", costText);

/** `/todo`: the model's plan. */
export const todoCommand: SlashCommand = {
  ...report("todo", "show the todo list", () => "The todo list is empty"),
  run(_, desk) {
    const todos = desk.seat.agent.session.conversation.latest(todoWrite)?.todos ?? [];
    if (todos.length === 0) return desk.say("The todo list is empty");
    desk.draw((view) => [view.style.dim(todoProgress(todos)), ...renderTodos(todos, view)]);
  },
};

function report(
  name: string,
  description: string,
  text: (desk: Desk) => string,
): SlashCommand {
  return {
    ...{ name, description },
    hint: "",
    origin: "built-in",
    anytime: true,
    run: (_, desk) => desk.say(text(desk)),
  };
}

function costText({ seat: { agent } }: Desk): string {
  const usage = agent.usage();
  const unknown = usage.cost_usd === undefined
    ? ", cost ?: no prices are configured for this model"
    : "";
  const { turns } = agent.session.conversation;
  return `${turns} ${turns === 1 ? "turn" : "turns"}, ${usageText(usage)}${unknown}`;
}
