import {
  bookChapterSchema,
  type bookChapterTextSchema,
  bookProjectSchema,
  chapterVersionSchema,
} from '../contract/schemas.js';
import { view } from '#gateway/http/view.js';
import { factSchema } from '#contracts/facts.js';
import { chapterOutlineSchema } from '../contract/outline.js';
import { llmRuntimeSchema, metadataOf, userConceptSchema } from '../contract/profile.js';
import { chapterCitationSchema, chapterReviewSchema } from '../contract/review.js';
import { keptParagraphs, type BookChapter, type BookChapterVersion } from '../store/chapters.js';
import { outlineOf } from '../store/outline.js';
import type { BookProject } from '../store/projects.js';
import { countWords } from '#writing/words.js';
import { z } from 'zod';

/** Returns the entity tag of a project or chapter, for `If-Match`. */
export const revisionTag = ({ id, revision }: { id: string; revision: number }): string =>
  `"${id}.${revision}"`;

export function projectView(
  project: BookProject,
  chapters: BookChapter[],
): z.infer<typeof bookProjectSchema> {
  const concept = userConceptSchema.parse(project.userConcept);
  const runtime = llmRuntimeSchema.parse(project.llmRuntime);
  return view(bookProjectSchema, project, {
    outline_json: outlineOf(runtime.synopsis ?? '', chapters),
    metadata_json: metadataOf(concept, runtime),
    etag: revisionTag(project),
  });
}

export function chapterView(chapter: BookChapter, score: number | null): z.infer<typeof bookChapterSchema> {
  return view(bookChapterSchema, chapter, {
    outline: chapterOutlineSchema.parse(chapter.outline),
    score,
    etag: revisionTag(chapter),
  });
}

export function chapterTextView(
  chapter: BookChapter,
  version: BookChapterVersion | null,
): z.infer<typeof bookChapterTextSchema> {
  const review = reviewOf(version);
  return {
    ...chapterView(chapter, review?.score ?? null),
    content: version?.content ?? '',
    kept_paragraphs: (version && keptParagraphs(version)) ?? [],
    review,
    citations: z.array(chapterCitationSchema).parse(version?.citations ?? []),
    facts: z.array(factSchema).parse(version?.facts ?? []),
  };
}

export function versionView(version: BookChapterVersion): z.infer<typeof chapterVersionSchema> {
  return view(chapterVersionSchema, version, {
    run_id: version.originRun,
    words: countWords(version.content),
    review: reviewOf(version),
  });
}

const reviewOf = (version: BookChapterVersion | null) =>
  version?.review ? chapterReviewSchema.parse(version.review) : null;
