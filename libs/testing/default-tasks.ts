import { syntheticIssue } from '#contracts/manuscript.js';
import { issueFingerprint } from '#contracts/manuscript.js';
import { sizeOfText } from '#document/tasks/scan-assets.handler.js';
import type { documentTasks } from '#document/contract/tasks.js';
import type { TaskInput, TaskName, TaskOutput, TaskResult } from '#catalogue/tasks.js';
import { fixMarkdown, lintMarkdown } from '#markdown/lint/lint.js';
import { findReferences } from '#markdown/references/find.js';
import { resolveReference } from '#markdown/references/resolve.js';
import { buildStructure } from '#office/structure/build.js';
import { isSourceName } from '#contracts/file-kinds.js';
import { coverageReport } from '#verbatim/report/coverage.js';
import { traceWritten } from '#document/tasks/trace-written.js';
import type { ManuscriptStore } from '#storage/manuscript-store.js';
import type { InputFiles } from './memory-ports.js';

/** Handler of a task in tests; `attempt` counts from 1 for each task name. */
type TaskAnswer<N extends TaskName> = (
  input: TaskInput<N>,
  attempt: number,
) => TaskResult | Promise<TaskResult>;
export type TaskAnswers = { [N in keyof typeof documentTasks | 'human_input']: TaskAnswer<N> };

export const succeeded = <N extends TaskName>(output: TaskOutput<N>): TaskResult => ({ ok: true, output });
export const failedTask = (code: string, message: string): TaskResult => ({
  ok: false,
  error: { code, message },
});

const textOf = (content: string | Uint8Array | undefined) => Buffer.from(content ?? '').toString('utf8');

export function scan(inputs: InputFiles): TaskOutput<'scan_assets'> {
  const available = Object.keys(inputs);
  const references = available.filter(isSourceName).flatMap((source) =>
    findReferences(textOf(inputs[source]), source).map(({ ref, kind, line }) => {
      const { match, ...others } = resolveReference(ref, available, source);
      return { ref, kind, source, line, asset: match, ...others };
    }),
  );
  const missing = references.filter(({ asset }) => asset === null).map(({ ref }) => ref);
  const file_sizes = Object.fromEntries(
    available.filter(isSourceName).map((name) => [name, sizeOfText(textOf(inputs[name]))]),
  );
  return { missing_references: [...new Set(missing)], references, user_decisions: {}, file_sizes };
}

/** Validates a manuscript like the validator: fixes by rule, lints, traces the sources and ignores accepted issues. */
async function validateManuscript(
  input: TaskInput<'validate_md'>,
  inputs: InputFiles,
  manuscripts: ManuscriptStore,
): Promise<TaskOutput<'validate_md'>> {
  const verdict = { coverage: null, coverage_report: null, ledger_path: null, fixed_manuscript: null };
  if (input.manuscript === null) {
    const issue = syntheticIssue('The manuscript is missing: nothing was appended yet');
    return {
      ...verdict,
      validation_passed: false,
      validation_issues: [issue],
      open_sources: input.sources,
    };
  }
  const mended = await fixMarkdown(await manuscripts.read(input.manuscript));
  const available = Object.keys(inputs);
  const found = findReferences(mended.markdown, 'manuscript.md').map(({ ref }) => ref);
  const known = found.filter((ref) => resolveReference(ref, available).match !== null);
  const lint = await lintMarkdown(mended.markdown, {
    knownReferences: [...Object.keys(input.user_decisions), ...known],
  });
  const sources = input.sources.map((name) => ({ name, text: textOf(inputs[name]) }));
  const trace =
    sources.length === 0
      ? null
      : traceWritten(
          mended.markdown,
          sources,
          { policy: input.policy, zones: input.has_summary, otherFiles: available },
          input,
        );
  const { ledger = null, open = [], uncarried = [], issues: traced = [] } = trace ?? {};
  const accepted = new Set(input.accepted_issues);
  const issues = [...lint, ...traced].filter((issue) => !accepted.has(issueFingerprint(issue)));
  return {
    validation_passed: issues.length === 0,
    validation_issues: issues,
    coverage: ledger?.coverage ?? null,
    coverage_report: ledger ? coverageReport(ledger) : null,
    ledger_path: ledger ? `ledger/${input.manuscript}` : null,
    fixed_manuscript: mended.fixed > 0 ? (await manuscripts.replace(mended.markdown)).pointer : null,
    open_sources: issues.length === 0 ? open : [...open, ...uncarried],
  };
}

/**
 * Returns in-process handlers for all tasks: the product's pure functions on the given inputs. Decisions are answered like
 * this: missing files are skipped, questions get one sentence, and what cannot be fixed is aborted.
 */
export function defaultTasks(inputs: InputFiles, manuscripts: ManuscriptStore): TaskAnswers {
  return {
    scan_assets: () => succeeded<'scan_assets'>(scan(inputs)),
    validate_md: async (input) =>
      succeeded<'validate_md'>(await validateManuscript(input, inputs, manuscripts)),
    async parse_to_json({ manuscript }) {
      const structure = buildStructure(await manuscripts.read(manuscript));
      if (structure.blocks.length === 0) return failedTask('empty_document', 'The manuscript has no blocks');
      return succeeded<'parse_to_json'>({ structure_json_path: `structure/${manuscript}` });
    },
    convert: ({ structure_json_path }, attempt) =>
      succeeded<'convert'>({
        output_docx_path: `exports/${attempt}/${structure_json_path}.docx`,
        export_id: `exp_${attempt}`,
        bytes: 1,
      }),
    quality_check: () => succeeded<'quality_check'>({ passed: true, issues: [] }),
    human_input: ({ default_answer, decision_type }) =>
      succeeded<'human_input'>(
        decision_type === 'question' ? { text: 'Go on with what the sources say.' } : default_answer,
      ),
  };
}
