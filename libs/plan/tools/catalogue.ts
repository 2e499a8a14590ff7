import { graphTools } from './graph/catalogue.js';
import { convertMarkdown, extractTextTool, listInputs, readInput } from './platform/files.js';
import { httpRequest } from './platform/http-request.js';
import { mapTool } from './platform/map.js';
import { fetchUrl, searchKnowledge } from './platform/reach.js';
import { writeFile } from './platform/write-file.js';
import type { ToolPorts } from './ports.js';
import type { PlatformTool, ToolDescription } from './tool.js';
import { aggregate } from './platform/aggregate.js';
import { branch } from './platform/branch.js';
import { drawChartTool } from './platform/chart.js';
import { diffTexts, queryTablesTool, transformJson } from './platform/data.js';
import { lintMarkdownTool, traceMarkdown } from './platform/markdown.js';
import { parseCsv, parseJson, parseXmlTool, parseYamlTool } from './platform/parse.js';

/**
 * Tools that only compute and need no ports. They run in a child process that is ended if it takes too long.
 */
export const computeTools: readonly PlatformTool[] = [
  parseCsv,
  parseJson,
  parseXmlTool,
  parseYamlTool,
  queryTablesTool,
  aggregate,
  transformJson,
  branch,
  drawChartTool,
  lintMarkdownTool,
  traceMarkdown,
  diffTexts,
];

/** Tools that need ports. */
export const portTools: readonly PlatformTool<ToolPorts>[] = [
  listInputs,
  readInput,
  extractTextTool,
  convertMarkdown,
  writeFile,
  fetchUrl,
  httpRequest,
  searchKnowledge,
];

/** Descriptions of all platform tools, for choosing among them. */
export const platformCatalogue: readonly ToolDescription[] = [
  ...portTools.map(({ description }) => description),
  ...computeTools.map(({ description }) => description),
  ...graphTools.map(({ description }) => description),
  mapTool.description,
];
