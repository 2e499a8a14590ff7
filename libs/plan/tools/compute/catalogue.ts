import { aggregate } from '../platform/aggregate.js';
import { branch, diffTexts, queryTablesTool, transformJson } from '../platform/data.js';
import { drawChartTool } from '../platform/chart.js';
import { lintMarkdownTool, traceMarkdown } from '../platform/markdown.js';
import { parseCsv, parseJson, parseXmlTool, parseYamlTool } from '../platform/parse.js';
import { fillTemplate } from '../platform/template.js';
import type { PlatformTool } from '../tool.js';

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
  fillTemplate,
  branch,
  drawChartTool,
  lintMarkdownTool,
  traceMarkdown,
  diffTexts,
];
