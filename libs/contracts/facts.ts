import { z } from 'zod';
import { spanSchema } from './findings.js';

export const factKinds = ['person', 'place', 'organisation', 'term', 'date', 'quantity'] as const;
export type FactKind = (typeof factKinds)[number];

/** Statement in a text, with its words. */
export const factSchema = z
  .object({
    kind: z.enum(factKinds),
    /** Common form of its spellings; facts with the same kind and key are about the same thing. */
    key: z.string(),
    text: z.string(),
    /** Canonical figure with its unit, or the date; null if the thing is only mentioned. */
    value: z.string().nullable(),
    /** Subject of the figure or date: names and stems of the sentence without its figures. */
    about: z.array(z.string()),
    span: spanSchema,
    /** The whole sentence. */
    evidence: z.string(),
  })
  .meta({ id: 'Fact' });
export type Fact = z.infer<typeof factSchema>;
