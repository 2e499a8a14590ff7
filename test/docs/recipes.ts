import type { SourceChange } from '#testing/copied-checkout.js';

/** The changes that the recipes of docs/ADDING.md require, each with a small example. */
export const RECIPES: Record<string, SourceChange[]> = {
  'An endpoint': [
    {
      file: 'libs/contracts/api/schemas.ts',
      before: 'export const newSessionSchema',
      text: "export const sessionCountSchema = z.object({ count: z.number().int() }).meta({ id: 'SessionCount' });\n\n",
    },
    {
      file: 'libs/catalogue/endpoints/sessions.ts',
      before: '  createSession: {',
      text: `  countSessions: {
    method: 'GET',
    path: '/api/session-count',
    summary: 'Count the sessions',
    response: schemas.sessionCountSchema,
  },
`,
    },
    {
      file: 'libs/gateway/sessions/sessions.controller.ts',
      before: "  @Route('createSession')",
      text: `  @Route('countSessions')
  async count({ tenantId }: EndpointRequest<'countSessions'>) {
    return { count: await this.sessions.count(tenantId) };
  }

`,
    },
    {
      file: 'libs/db/repositories/sessions.ts',
      before: '  /** Returns a session or null;',
      text: `  /** Returns the number of sessions. */
  count(tenantId: string): Promise<number> {
    return this.db.session.count({ where: { tenantId } });
  }

`,
    },
  ],
  'A question': [
    {
      file: 'libs/document/contract/questions.ts',
      after: 'export const documentQuestions = {\n',
      text: `  tone: {
    details: z.object({ tones: z.array(z.string()).min(1) }),
    answer: ({ details }) => z.object({ tone: z.enum(details['tones'] as [string, ...string[]]) }).strict(),
  },
`,
    },
  ],
  'A graph node': [
    {
      file: 'libs/document/graph/state.ts',
      before: '  /** entry, scan_assets: names of the inputs',
      text: '  /** tone_decision: the tone that a person chose; null before */\n  tone: kept<string | null>(() => null),\n',
    },
    {
      file: 'libs/document/graph/state.ts',
      before: '    input_files: inputFiles,',
      text: '    tone: null,\n',
    },
    {
      file: 'libs/document/graph/nodes/tone.ts',
      text: `import { runRemotely } from '#kit/graph/remote.js';
import type { DocumentPorts } from '../ports.js';
import type { DocumentState, DocumentUpdate } from '../state.js';

/** Asks a person for the tone. */
export function toneDecision(settings: DocumentPorts['settings']) {
  return ({ session_id }: DocumentState): DocumentUpdate => {
    const outcome = runRemotely('human_input', {
      session_id,
      decision_type: 'tone',
      question: 'Which tone?',
      details: { tones: ['plain', 'formal'] },
      deadline_seconds: settings.decisionDeadlineSeconds,
      default_answer: { tone: 'plain' },
    });
    return { tone: outcome.ok ? String(outcome.output['tone']) : 'plain' };
  };
}
`,
    },
    { file: 'libs/document/facts/nodes.ts', after: "  'scan_assets',\n", text: "  'tone_decision',\n" },
    {
      file: 'libs/document/graph/routing.ts',
      before: "  { from: 'scan_assets', when: 'otherwise'",
      text: `  { from: 'scan_assets', when: 'no tone', holds: (s) => s.tone === null, to: 'tone_decision' },
  { from: 'tone_decision', when: 'always', holds: otherwise, to: 'agent' },
`,
    },
    {
      file: 'libs/document/graph/definition.ts',
      before: "import { tools } from './nodes/tools.js';",
      text: "import { toneDecision } from './nodes/tone.js';\n",
    },
    {
      file: 'libs/document/graph/definition.ts',
      after: 'scan_assets: scanAssets,\n',
      text: '    tone_decision: toneDecision(ports.settings),\n',
    },
  ],
  'A tool': [
    {
      file: 'libs/document/graph/tools/tools.ts',
      before: '/** Tools that change several lines',
      text: `function countingTool(): StructuredToolInterface {
  return tool(({ text }) => \`\${text.split(/\\s+/).length} words\`, {
    name: 'count_words',
    description: 'Count the words of a text.',
    schema: z.object({ text: textSchema(MAX_TEXT_LENGTH) }),
  });
}

`,
    },
    {
      file: 'libs/document/graph/tools/tools.ts',
      after: '    ...readingTools(session),\n',
      text: '    countingTool(),\n',
    },
  ],
  'A tool of plans': [
    {
      file: 'libs/plan/tools/platform/count-vowels.ts',
      text: `import { z } from 'zod';
import { defineTool } from '../tool.js';

export const countVowels = defineTool({
  name: 'count_vowels',
  description: 'Count the vowels of a text.',
  input: z.object({ text: z.string().describe('text with vowels') }),
  output: z.object({ vowels: z.number().int().describe('number of vowels') }),
  run: ({ text }) => Promise.resolve({ vowels: text.match(/[aeiou]/gi)?.length ?? 0 }),
});
`,
    },
    {
      file: 'libs/plan/tools/compute/catalogue.ts',
      before: "import { drawChartTool } from '../platform/chart.js';",
      text: "import { countVowels } from '../platform/count-vowels.js';\n",
    },
    { file: 'libs/plan/tools/compute/catalogue.ts', after: '  branch,\n', text: '  countVowels,\n' },
  ],
  'A page': [
    {
      file: 'apps/studio/src/api/session-count.ts',
      text: `import { apiQuery } from './api-query';

/** Query for the number of sessions. */
export const sessionCountQuery = apiQuery(['session-count'], '/api/session-count', {});
`,
    },
    {
      file: 'apps/studio/src/pages/counts/counts-page.tsx',
      text: `import { Text } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import { sessionCountQuery } from '../../api/session-count';
import { PageHeader, useReady } from '../../ui/frames';

/** Shows the number of sessions. */
export default function CountsPage() {
  const { t } = useTranslation();
  const [data, instead] = useReady(sessionCountQuery);
  return (
    <>
      <PageHeader title={t('counts.title')} />
      {instead ?? <Text>{t('counts.sessions', { count: data.count })}</Text>}
    </>
  );
}
`,
    },
    {
      file: 'apps/studio/src/router.tsx',
      before: "      page('schedules', ",
      text: "      page('counts', () => import('./pages/counts/counts-page')),\n",
    },
    {
      file: 'apps/studio/src/shell/shell.tsx',
      before: "  { name: 'schedules', to: '/schedules', pages: [] },",
      text: "  { name: 'counts', to: '/counts', pages: [] },\n",
    },
    {
      file: 'apps/studio/src/shell/shell.tsx',
      before: "  schedules: 'M4",
      text: "  counts: 'M5 12h14',\n",
    },
    ...['en', 'de', 'pl'].flatMap((language) => [
      {
        file: `libs/locales/${language}.json`,
        after: '    "nav": {\n',
        text: '      "counts": "Counts",\n',
      },
      {
        file: `libs/locales/${language}.json`,
        after: '  "studio": {\n',
        text: '    "counts": { "title": "Counts", "sessions": "Sessions: {count}" },\n',
      },
    ]),
  ],
};
