import { diffTexts, queryTablesTool, transformJson } from '../platform/data.js';
import { lintMarkdownTool, traceMarkdown } from '../platform/markdown.js';
import { parseCsv, parseJson, parseXmlTool, parseYaml } from '../platform/parse.js';
import type { PlatformTool } from '../tool.js';

/** Tools that compute and reach for nothing: they run in a thread that is ended when it takes too long. */
export const computeTools: readonly PlatformTool[] = [
  parseCsv,
  parseJson,
  parseXmlTool,
  parseYaml,
  queryTablesTool,
  transformJson,
  lintMarkdownTool,
  traceMarkdown,
  diffTexts,
];
