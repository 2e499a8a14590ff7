import { z } from 'zod';
import { lineSchema as line } from '../../names.js';

/** Words below which a chapter of each length fails its guardrail (B9). */
export const minimumWords = { short: 900, medium: 1800, long: 3000 } as const;
export const DEFAULT_MINIMUM_WORDS = 1200;
export const chapterLengths = ['short', 'medium', 'long'] as const;
export type ChapterLength = (typeof chapterLengths)[number];

export const MAX_CHAPTERS = 500;

/** What an author says about the book, field by field; the profile assistant asks for those that are missing (B17). */
export const bookProfileSchema = z
  .object({
    title: line(200),
    subtitle: line(300),
    genre: line(100),
    target_audience: line(300),
    tone: line(200),
    language: z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/),
    chapter_length: z.enum(chapterLengths),
    chapter_count: z.number().int().min(1).max(MAX_CHAPTERS),
    instruction_brief: z.string().trim().min(1).max(20_000),
  })
  .partial()
  .strict()
  .meta({ id: 'BookProfile' });
export type BookProfile = z.infer<typeof bookProfileSchema>;
export type ProfileField = keyof BookProfile;

/** Without these a profile is not complete (B17). */
export const requiredFields = [
  'title',
  'genre',
  'target_audience',
  'tone',
  'language',
  'chapter_length',
  'chapter_count',
] as const satisfies ProfileField[];

/** The author's zone of `metadata_json` (B2): no run, tool or model answer changes it. */
export const userConceptSchema = z
  .object({ profile: bookProfileSchema, notes: z.string().max(20_000).optional() })
  .strict()
  .meta({ id: 'UserConcept' });
export type UserConcept = z.infer<typeof userConceptSchema>;

/** What runs keep about a book (B2). */
export const llmRuntimeSchema = z
  .object({
    synopsis: z.string(),
    writer: z.string().meta({ description: 'the model that wrote last, or the offline writer' }),
    used_fallback: z.boolean(),
    fallback_stages: z.array(z.string()),
    last_run_id: z.string(),
    stop_run_id: z.string().meta({ description: 'the run that ends before its next chapter' }),
  })
  .partial()
  .meta({ id: 'LlmRuntime' });
export type LlmRuntime = z.infer<typeof llmRuntimeSchema>;

/** `metadata_json` as clients read it: both zones, and the mirrors of older clients. */
export const bookMetadataSchema = z
  .object({
    user_concept: userConceptSchema,
    llm_runtime: llmRuntimeSchema,
    profile: bookProfileSchema,
    subtitle: z.string().nullable(),
    instruction_brief: z.string().nullable(),
  })
  .meta({ id: 'BookMetadata' });
export type BookMetadata = z.infer<typeof bookMetadataSchema>;

/**
 * `metadata_json` as clients send it. `user_concept` goes before the mirrors, and what stands in a mirror alone is taken over; the runtime
 * zone belongs to runs, so it is read and left.
 */
export const bookMetadataInputSchema = z
  .object({
    user_concept: userConceptSchema.optional(),
    llm_runtime: z.record(z.string(), z.unknown()).optional(),
    profile: bookProfileSchema.optional(),
    subtitle: bookProfileSchema.shape.subtitle.or(z.literal('')).nullable(),
    instruction_brief: bookProfileSchema.shape.instruction_brief.or(z.literal('')).nullable(),
  })
  .partial()
  .strict()
  .meta({ id: 'BookMetadataInput' });
export type BookMetadataInput = z.infer<typeof bookMetadataInputSchema>;

/** The author's zone from what a client sent, over what it was before (B2, B24). */
export function conceptOf(sent: BookMetadataInput, before: UserConcept): UserConcept {
  const given = sent.user_concept ?? before;
  const mirrors: BookProfile = {
    ...sent.profile,
    ...(sent.subtitle ? { subtitle: sent.subtitle } : {}),
    ...(sent.instruction_brief ? { instruction_brief: sent.instruction_brief } : {}),
  };
  // The zone goes before the mirrors when both are sent; else mirrors are how an older client edits.
  const profile = sent.user_concept ? { ...mirrors, ...given.profile } : { ...given.profile, ...mirrors };
  return { ...given, profile };
}

/** Both zones with the mirrors. */
export function metadataOf(concept: UserConcept, runtime: LlmRuntime): BookMetadata {
  const { profile } = concept;
  return {
    user_concept: concept,
    llm_runtime: runtime,
    profile,
    subtitle: profile.subtitle ?? null,
    instruction_brief: profile.instruction_brief ?? null,
  };
}
