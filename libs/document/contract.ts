import { z } from 'zod';
import { trackedField, wordTemplateField } from '#contracts/api/word-template-schemas.js';
import { FIRST_PAGE_PARTS, outlineEntrySchema, validationIssueSchema } from '#contracts/manuscript.js';
import { acceptanceSchema, coverageReportSchema } from '#contracts/coverage.js';
import { documentQuestions } from './contract/questions.js';
import { documentTasks } from './contract/tasks.js';
import { defineRunKind } from '#contracts/run-kind.js';

/** How a manuscript becomes a Word file. */
const wordOptions = {
  title: z.string().min(1).max(200).optional(),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
    .optional(),
  source_appendix: z.boolean().optional(),
  code_colors: z.boolean().optional(),
  line_numbers: z.boolean().optional(),
  list_of_figures: z.boolean().optional(),
  word_template: wordTemplateField,
};

const names = z.array(z.string());

/** The inputs that differ from those of the session's last document, by name. */
const inputChangesSchema = z.object({
  added: names,
  changed: names,
  renamed: z
    .array(z.object({ from: z.string(), to: z.string() }))
    .meta({ description: 'written again under their new names' }),
  removed: names,
});
export type InputChanges = z.infer<typeof inputChangesSchema>;

/** Body of a request for a Word file of the current manuscript. */
export const newExportSchema = z
  .object({ ...wordOptions, proposals: trackedField })
  .strict()
  .meta({
    id: 'NewExport',
    description: 'Options of the Word file; by default those of the last run.',
  });

/** Runs of kind `document`: raw files → verbatim manuscript → Word file (D1–D34). */
export const documentKind = defineRunKind({
  kind: 'document',
  modes: [],
  inputs: z.object({
    ...wordOptions,
    policy: z.enum(['verbatim', 'narrative']).optional(),
    summary: z.boolean().optional().meta({
      description:
        'whether a model may begin with a chapter "In short", checked against the sources (default: under the policy narrative only)',
    }),
    first_page: z.array(z.enum(FIRST_PAGE_PARTS)).optional().meta({
      description:
        'parts of a first page of quoted lines, each with a link to its source: rules find them by their form (default: none)',
    }),
    without_model: z.boolean().optional().meta({
      description: 'rules write: the same files and remembered answers give the same result',
    }),
    export_only: z
      .boolean()
      .optional()
      .meta({ description: 'validates and converts the current manuscript; writes nothing' }),
    proposals: trackedField,
    only_changed: z.boolean().optional().meta({
      description:
        "writes only what changed since the session's last document with equal policy, summary, first_page and without_model; answers and accepted changes stay",
    }),
    discard_changes: z.boolean().optional().meta({
      description: 'writes again; accepted changes of the manuscript are lost',
    }),
    ask_again: z
      .array(z.string().min(1))
      .max(1_000)
      .optional()
      .meta({ description: 'missing references for which no remembered answer is used' }),
  }),
  needsFiles: true,
  replacesText: ({ export_only, discard_changes, only_changed }) =>
    ![export_only, discard_changes, only_changed].includes(true),
  tasks: documentTasks,
  questions: documentQuestions,
  events: {
    validation_ran: 'a validation of the manuscript ended',
    checkpoint_saved: 'a named checkpoint was saved',
    rollback_performed: 'the manuscript was rolled back to its last named checkpoint',
    rollback_skipped: 'there was no named checkpoint to roll back to',
  },
  progress: z.object({
    title: z.string().nullable().meta({
      description: 'first heading of the manuscript, or the name of the first file while there is none',
    }),
    current_chapter: z.number().int().nullable(),
    current_file_index: z.number().int().nullable(),
    document_outline: z.array(outlineEntrySchema),
    sources: z
      .object({
        files: z.number().int(),
        files_written: z.number().int(),
        lines: z.number().int(),
        lines_written: z.number().int(),
      })
      .nullable()
      .meta({ description: 'text sources and those that the manuscript carries; null before they are read' }),
    coverage: z.number().nullable().meta({
      description:
        'share of source lines that the manuscript carries, or of pieces of the files that were read if that is less, 0…1',
    }),
    coverage_report: coverageReportSchema.nullable().meta({
      description:
        'coverage in lines and bytes; incompletely carried files, worst first; pieces lost when the files were read',
    }),
    acceptances: z.array(acceptanceSchema).meta({ description: 'failed validations that a person accepted' }),
    validation_issues: z.array(validationIssueSchema),
    fix_attempts: z.number().int(),
    conversion_attempts: z.number().int(),
    taken_over: inputChangesSchema
      .extend({ kept: z.number().int(), written: z.number().int() })
      .nullable()
      .meta({
        description:
          'what only_changed kept and wrote again: numbers of sources, and inputs that differ (at most 50 of each kind)',
      }),
    used_fallback: z
      .boolean()
      .meta({ description: 'true if rules wrote in place of a failed model, because a person chose it' }),
  }),
  results: {
    manuscript: {
      mediaType: 'text/markdown; charset=utf-8',
      fileName: 'temp_output.md',
      description: 'current text',
    },
    ledger: {
      mediaType: 'application/json; charset=utf-8',
      fileName: 'ledger.json',
      description: 'trace of each source line to the manuscript',
    },
  },
});

/** Inputs of a run that only converts: rules write, and nobody is asked, because each question gets its default answer. */
export const CONVERSION = { without_model: true, decisions: { deadline_seconds: 1 } };
