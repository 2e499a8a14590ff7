import { z } from 'zod';
import { MAX_CHAPTERS } from './profile.js';

export const outlineSectionSchema = z.object({
  title: z.string().min(1).max(300),
  points: z.array(z.string().max(1_000)).max(30).default([]),
});

/** What the outline says of one chapter. */
export const chapterOutlineSchema = z.object({
  summary: z.string().max(4_000).default(''),
  sections: z.array(outlineSectionSchema).max(40).default([]),
  terms: z.array(z.string().max(200)).max(40).default([]),
  /** Sources that the offline writer compiles the chapter from, by the place of their chunks. */
  passages: z.array(z.string().max(200)).max(400).optional(),
});
export type ChapterOutline = z.infer<typeof chapterOutlineSchema>;

export const outlineChapterSchema = chapterOutlineSchema.extend({
  /** Of a chapter that exists; one without it is new. */
  id: z.string().max(100).optional(),
  title: z.string().trim().min(1).max(300),
});
export type OutlineChapter = z.infer<typeof outlineChapterSchema>;

/** `outline_json` as it is sent and as runs make it; numbers follow from the order. */
export const outlineSchema = z
  .object({
    synopsis: z.string().max(20_000).default(''),
    chapters: z.array(outlineChapterSchema).min(1).max(MAX_CHAPTERS),
  })
  .meta({ id: 'BookOutline' });
export type BookOutline = z.infer<typeof outlineSchema>;
