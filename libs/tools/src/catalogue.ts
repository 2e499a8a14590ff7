import { computeTools } from './compute/catalogue.js';
import { graphTools } from './graph/catalogue.js';
import { convertMarkdown, extractTextTool, listInputs, readInput } from './platform/files.js';
import { fetchUrl, searchKnowledge } from './platform/reach.js';
import type { ToolPorts } from './ports.js';
import type { PlatformTool, ToolDescription } from './tool.js';

/** Tools that reach for something through their ports. */
export const portTools: readonly PlatformTool<ToolPorts>[] = [
  listInputs,
  readInput,
  extractTextTool,
  convertMarkdown,
  fetchUrl,
  searchKnowledge,
];

/** Every tool of the platform, as whoever chooses one sees it. */
export const platformCatalogue: readonly ToolDescription[] = [
  ...portTools.map(({ description }) => description),
  ...computeTools.map(({ description }) => description),
  ...graphTools.map(({ description }) => description),
];
