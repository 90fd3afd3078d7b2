import { type InitializeResponse, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { VERSION } from "../version.ts";
import { authMethods } from "./key_method.ts";

/**
 * What we say of ourselves. An editor that speaks another version hears ours, and leaves where it
 * does not know that. Pure.
 */
export function introduction(
  keepsSessions: boolean,
  keyVariable: string | undefined,
): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "cordon", title: "Cordon", version: VERSION },
    agentCapabilities: {
      loadSession: keepsSessions,
      promptCapabilities: { image: true, embeddedContext: true },
      mcpCapabilities: { http: true },
      sessionCapabilities: { close: {}, ...(keepsSessions && { list: {}, resume: {} }) },
    },
    authMethods: authMethods(keyVariable),
  };
}
