import { computeTools } from './compute/catalogue.js';
import { graphTools } from './graph/catalogue.js';
import { convertMarkdown, extractTextTool, listInputs, readInput } from './platform/files.js';
import { fetchUrl, httpRequest } from './platform/http-request.js';
import { mapTool } from './platform/map.js';
import { readTableTool } from './platform/read-table.js';
import { searchKnowledge } from './platform/reach.js';
import { sendMail } from './platform/send-mail.js';
import { writeFile } from './platform/write-file.js';
import type { ToolPorts } from './ports.js';
import type { PlatformTool, ToolDescription } from './tool.js';

/** Tools that need ports. */
export const portTools: readonly PlatformTool<ToolPorts>[] = [
  listInputs,
  readInput,
  readTableTool,
  extractTextTool,
  convertMarkdown,
  writeFile,
  fetchUrl,
  httpRequest,
  sendMail,
  searchKnowledge,
];

/** Descriptions of all platform tools, those of older plans included. */
export const platformCatalogue: readonly ToolDescription[] = [
  ...portTools.map(({ description }) => description),
  ...computeTools.map(({ description }) => description),
  ...graphTools.map(({ description }) => description),
  mapTool.description,
];

/** Returns the tool that does the work of a tool of older plans; null if there is none. */
export const currentTool = (name: string): string | null => {
  const tool = platformCatalogue.find((each) => each.name === name);
  return tool?.replacedBy === undefined ? name : tool.replacedBy || null;
};
