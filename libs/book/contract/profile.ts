import { z } from 'zod';
import { citationStyleSchema } from '#contracts/bibliography.js';
import { lineSchema as line } from '#contracts/names.js';

/** Minimum words of a chapter by length; a shorter one fails its guardrail (B9). */
export const minimumWords = { short: 900, medium: 1800, long: 3000 } as const;
export const DEFAULT_MINIMUM_WORDS = 1200;
export const chapterLengths = ['short', 'medium', 'long'] as const;
export type ChapterLength = (typeof chapterLengths)[number];

export const MAX_CHAPTERS = 500;

/** Author's statements about the book; the profile assistant asks for missing fields (B17). */
export const bookProfileSchema = z
  .object({
    title: line(200),
    subtitle: line(300),
    author: line(300),
    genre: line(100),
    target_audience: line(300),
    tone: line(200),
    language: z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/),
    chapter_length: z.enum(chapterLengths),
    chapter_count: z.number().int().min(1).max(MAX_CHAPTERS),
    instruction_brief: z.string().trim().min(1).max(20_000),
    citation_style: citationStyleSchema,
  })
  .partial()
  .strict()
  .meta({ id: 'BookProfile' });
export type BookProfile = z.infer<typeof bookProfileSchema>;
export type ProfileField = keyof BookProfile;

/** Fields that a complete profile must have (B17). */
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

/** Zone of `metadata_json` that runs write (B2). */
export const llmRuntimeSchema = z
  .object({
    synopsis: z.string(),
    writer: z.string().describe('model that wrote last, or the offline writer'),
    used_fallback: z.boolean(),
    fallback_stages: z.array(z.string()),
    last_run_id: z.string(),
    stop_run_id: z.string().describe('run that will stop before its next chapter'),
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
 * `metadata_json` as clients send it. `user_concept` has priority over the mirrors, and fields that only a
 * mirror contains are added to it. `llm_runtime` is ignored, because only runs change it.
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

/** Returns the author's zone after a client's update (B2, B24). */
export function conceptOf(sent: BookMetadataInput, before: UserConcept): UserConcept {
  const given = sent.user_concept ?? before;
  const mirrors: BookProfile = {
    ...sent.profile,
    ...(sent.subtitle ? { subtitle: sent.subtitle } : {}),
    ...(sent.instruction_brief ? { instruction_brief: sent.instruction_brief } : {}),
  };
  // If both are sent, the zone has priority. Mirrors alone are edits by an older client.
  const profile = sent.user_concept ? { ...mirrors, ...given.profile } : { ...given.profile, ...mirrors };
  return { ...given, profile };
}

/** Returns both zones with the mirrors. */
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
