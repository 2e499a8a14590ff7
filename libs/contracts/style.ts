import { z } from 'zod';
import { findingSchema } from './findings.js';

const summary = z.object({
  mean: z.number(),
  spread: z.number().describe('standard deviation across the texts'),
});
const forms = z.array(z.object({ form: z.string(), times: z.number().int() }));

/** Style of a corpus, for people to read and for comparison with a text (A9). */
export const fingerprintSchema = z
  .object({
    language: z.enum(['en', 'pl']),
    texts: z.number().int(),
    left_out: z.number().int().describe('texts in another language'),
    words: z.number().int(),
    measures: z.object({
      sentence_words: summary,
      sentence_words_spread: summary,
      paragraph_words: summary,
      word_letters: summary,
      vocabulary: summary.describe('different words among the first 300, as a share'),
      connectives_per_1000: summary,
      first_person_singular_per_1000: summary,
      first_person_plural_per_1000: summary,
      second_person_per_1000: summary,
      passive_share: summary.describe('of the sentences'),
      past_share: summary.describe('of the sentences'),
      commas_per_1000: summary,
      semicolons_per_1000: summary,
      exclamations_per_1000: summary,
      questions_share: summary.describe('of the sentences'),
      parentheses_per_1000: summary,
    }),
    longest: z
      .object({ sentence_words: z.number(), paragraph_words: z.number() })
      .describe('95th percentile'),
    habits: z.object({
      quotation_marks: forms,
      apostrophe: forms,
      dash: forms,
      ellipsis: forms,
      decimal_mark: forms,
      thousands: forms,
      percent: forms,
      date_format: forms,
      time_format: forms,
      heading_case: forms,
      contractions: forms,
      spelling_ise: forms,
      spelling_our: forms,
    }),
    headings: z.object({
      first_level: z
        .number()
        .int()
        .nullable()
        .describe('level of the first heading if the texts agree, otherwise null'),
      single_title: z.boolean().describe('no text has a second heading of level 1'),
    }),
    connectives: z
      .array(z.object({ word: z.string(), times: z.number().int() }))
      .describe('connecting words and phrases, most frequent first'),
    vocabulary: z
      .array(z.object({ word: z.string(), times: z.number().int() }))
      .describe('lower-case words of at least four letters, most frequent first'),
    terms: z.array(
      z.object({
        term: z.string(),
        times: z.number().int(),
        alone: z.number().int().describe('how often it occurs without another name next to it'),
      }),
    ),
    openings: z.array(z.string()).describe('first sentences'),
    closings: z.array(z.string()).describe('last sentences'),
  })
  .meta({ id: 'StyleFingerprint' });
export type Fingerprint = z.infer<typeof fingerprintSchema>;

/** Difference between a whole text and a corpus in one measure. */
export const styleDeviationSchema = z.object({
  measure: z.string(),
  text: z.number(),
  corpus: z.number(),
  distance: z.number().describe('in standard deviations of the corpus'),
});
export type StyleDeviation = z.infer<typeof styleDeviationSchema>;

/** Comparison of a text with a corpus (A7, A9). */
export const styleReportSchema = z
  .object({
    deviations: z.array(styleDeviationSchema),
    annotations: z.array(findingSchema),
    corrected: z.string().describe('text with the mechanical and safe corrections applied'),
    applied: z.array(z.string()).describe('IDs of the applied annotations'),
  })
  .meta({ id: 'StyleReport' });
export type StyleReport = z.infer<typeof styleReportSchema>;
