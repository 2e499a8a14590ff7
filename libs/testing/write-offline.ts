import type { ValidationIssue } from '#contracts/manuscript.js';
import type { TaskInput } from '#catalogue/tasks.js';
import { succeeded } from './default-tasks.js';
import { runDocument, type HarnessRun } from './graph-harness.js';
import type { InputFiles } from './memory-ports.js';

export interface OfflineOptions {
  /** Page size of inputs in bytes. */
  pageBytes?: number;
  /** Inputs that are not text. */
  assets?: string[];
  /** Title of the document. */
  title?: string;
  /** Returns the issues of each validation; by default, none. */
  validate?: (
    manuscript: string,
    task: TaskInput<'validate_md'>,
  ) => ValidationIssue[] | Promise<ValidationIssue[]>;
}

interface OfflineRun extends HarnessRun {
  /** Labels of the written chapters. */
  labels: string[];
  /** Questions to a person. */
  questions: string[];
}

/** Writes a document with the offline writer. A person skips missing files and accepts what cannot be fixed. */
export async function writeOffline(
  files: InputFiles,
  { pageBytes, assets = [], title, validate = () => [] }: OfflineOptions = {},
): Promise<OfflineRun> {
  const questions: string[] = [];
  const run = await runDocument({
    inputs: { ...files, ...Object.fromEntries(assets.map((name) => [name, ''])) },
    offline: true,
    model: () => Promise.reject(new Error('the offline writer calls no model')),
    ...(pageBytes === undefined ? {} : { pageBytes }),
    ...(title === undefined ? {} : { settings: { title } }),
    answers: (manuscripts) => ({
      validate_md: async (task) => {
        const issues = await validate(await manuscripts.read(task.manuscript), task);
        return succeeded<'validate_md'>({
          validation_passed: issues.length === 0,
          validation_issues: issues,
          coverage: null,
          ledger_path: null,
          fixed_manuscript: null,
          open_sources: [],
        });
      },
      human_input: ({ decision_type, question, default_answer }) => {
        questions.push(question);
        return succeeded<'human_input'>(
          decision_type === 'fix_exhausted' ? { action: 'accept' } : default_answer,
        );
      },
    }),
  });
  const labels = run.checkpoints.filter(({ validated }) => !validated).map(({ label }) => label);
  return { ...run, labels, questions };
}
