import { diffTexts, queryTablesTool, transformJson } from '../platform/data.js';
import { lintMarkdownTool, traceMarkdown } from '../platform/markdown.js';
import { parseCsv, parseJson, parseXmlTool, parseYamlTool } from '../platform/parse.js';
import type { PlatformTool } from '../tool.js';

/** Tools that compute and reach for nothing: they run in a process that is ended when it takes too long. */
export const computeTools: readonly PlatformTool[] = [
  parseCsv,
  parseJson,
  parseXmlTool,
  parseYamlTool,
  queryTablesTool,
  transformJson,
  lintMarkdownTool,
  traceMarkdown,
  diffTexts,
];
