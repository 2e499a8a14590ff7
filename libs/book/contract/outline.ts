import { z } from 'zod';
import { MAX_CHAPTERS } from './profile.js';

export const outlineSectionSchema = z.object({
  title: z.string().min(1).max(300),
  points: z.array(z.string().max(1_000)).max(30).default([]),
});

const fields = {
  summary: z.string().max(4_000),
  sections: z.array(outlineSectionSchema).max(40),
  terms: z.array(z.string().max(200)).max(40),
  /** IDs of the chunks from which the offline writer compiles the chapter. */
  passages: z.array(z.string().max(200)).max(400),
};

/** Changes of a chapter's outline. Without defaults: Zod would fill them in and so erase omitted fields. */
export const chapterOutlineChangesSchema = z.object(fields).partial();
export type ChapterOutlineChanges = z.infer<typeof chapterOutlineChangesSchema>;

/** A chapter's outline as it is stored. */
export const chapterOutlineSchema = z.object({
  summary: fields.summary.default(''),
  sections: fields.sections.default([]),
  terms: fields.terms.default([]),
  passages: fields.passages.optional(),
});
export type ChapterOutline = z.infer<typeof chapterOutlineSchema>;

const heading = {
  /** ID of an existing chapter; a chapter without one is new unless an existing one has its title. */
  id: z.string().max(100).optional(),
  title: z.string().trim().min(1).max(300),
};
export const outlineChapterSchema = chapterOutlineSchema.extend(heading);
export type OutlineChapter = z.infer<typeof outlineChapterSchema>;

/** The whole outline as runs make it. */
export interface BookOutline {
  synopsis: string;
  chapters: OutlineChapter[];
}

/**
 * `outline_json` as clients send it. The order determines the numbers; existing chapters keep omitted fields.
 */
export const outlineChangesSchema = z
  .object({
    synopsis: z.string().max(20_000).optional(),
    chapters: z.array(chapterOutlineChangesSchema.extend(heading)).min(1).max(MAX_CHAPTERS),
  })
  .meta({ id: 'BookOutline' });
export type OutlineChanges = z.infer<typeof outlineChangesSchema>;
