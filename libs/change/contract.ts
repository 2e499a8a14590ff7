import { z } from 'zod';
import { citedPassageSchema, excerptSchema, instructionSchema, targetSchema } from './contract/schemas.js';
import { spanSchema } from '#contracts/findings.js';
import { defineRunKind } from '#contracts/run-kind.js';

/**
 * Runs of kind `change`: propose new words for a selected part of a text. `POST /api/changes` starts them, because
 * the selection has to be found in the stored text.
 */
export const changeKind = defineRunKind({
  kind: 'change',
  modes: [],
  inputs: z.object({
    target: targetSchema,
    title: z.string().max(300).describe('title of the text'),
    base: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('SHA-256 of the whole text, in UTF-8'),
    span: spanSchema.describe('the selection, in UTF-16 units of the text'),
    ...excerptSchema.shape,
    instruction: instructionSchema.or(z.literal('')),
    replacement: z
      .string()
      .optional()
      .describe('words of a person, who needs no model; `instruction` is then empty'),
    passages: z.array(citedPassageSchema).max(40).describe('passages that the text may cite'),
  }),
  needsFiles: false,
  tasks: {},
  questions: {},
  events: { change_proposed: 'new words for the selection were proposed' },
  progress: z.object({
    target: z.enum(['chapter', 'article', 'document', 'text']).nullable(),
    findings: z.number().int().describe('number of findings about the proposal'),
    used_fallback: z.boolean().describe('always false: rules never propose a change'),
  }),
  results: {
    proposal: {
      mediaType: 'application/json; charset=utf-8',
      fileName: 'proposal.json',
      description: 'the proposed change of a selection, and what was decided about it',
    },
  },
});

export type ChangeInputs = z.infer<typeof changeKind.inputs>;
