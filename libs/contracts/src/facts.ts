import { z } from 'zod';
import { spanSchema } from './findings.js';

export const factKinds = ['person', 'place', 'organisation', 'term', 'date', 'quantity'] as const;
export type FactKind = (typeof factKinds)[number];

/** Something that a text states, with the words that state it. */
export const factSchema = z
  .object({
    kind: z.enum(factKinds),
    /** What two spellings of it have in common; facts of one kind and key are about the same thing. */
    key: z.string(),
    text: z.string(),
    /** What is said of it: the canonical figure with its unit, or the date; null for a mere mention. */
    value: z.string().nullable(),
    /** What the figure or the date is about: names and stems of the sentence without its figures. */
    about: z.array(z.string()),
    span: spanSchema,
    /** The whole sentence. */
    evidence: z.string(),
  })
  .meta({ id: 'Fact' });
export type Fact = z.infer<typeof factSchema>;
