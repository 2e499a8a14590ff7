import { withoutPrefix } from '#contracts/text.js';
import { readJson, type Operation } from '#kit/graph/structured.js';
import { promptOf } from '#kit/graph/tagged.js';
import type { Piece, Platform } from '../contract/repurpose.js';
import { factFindings, limitFindings } from '../repurpose/check.js';
import { distinctTags } from '../repurpose/compose.js';
import { limitsOf } from '../contract/platforms.js';
import { withoutNotes } from '#writing/sentences.js';
import { z } from 'zod';
import * as prompts from './prompts.js';

const MAX_TOLD = 12;

const pieceAnswer = z.object({
  title: z.string().max(500).nullish(),
  parts: z.array(z.string().max(10_000)).max(60),
  hashtags: z.array(z.string().max(60)).max(30).default([]),
});

const FORM: Record<Platform, string> = {
  linkedin: 'one post for LinkedIn',
  x_thread: 'a thread for X, each post understandable by itself; the numbers are added later',
  newsletter: 'a newsletter; the title is its subject',
  video_script: 'the script of a short video: each part is what is spoken in one scene',
};

/**
 * Rewrites an article for a platform (A14); an answer that exceeds the limits, or states facts that the
 * article lacks, is corrected once.
 */
export function repurposeArticle(article: string, platform: Platform): Operation<Omit<Piece, 'findings'>> {
  const { parts, partLength, words, hashtags, titleLength } = limitsOf[platform];
  const limits = `At most ${parts} part(s) of ${partLength} characters, ${words} words in all, ${hashtags} hashtags (without #)${titleLength > 0 ? `, a title of at most ${titleLength} characters` : ', no title'}.`;
  return {
    name: `repurpose_${platform}`,
    tier: 'fast',
    system: prompts.REPURPOSER,
    prompt: promptOf(
      prompts.article(withoutNotes(article)),
      `Task: write ${FORM[platform]}, in the language of the article. ${limits}
Begin with what matters most to a reader who may stop after the first line. Leave out what does not fit instead of squeezing it in.
Form: {"title": null, "parts": ["…"], "hashtags": ["…"]}`,
    ),
    schema: pieceAnswer,
    read(answer) {
      const { title, parts: told, hashtags: tags } = readJson(pieceAnswer, answer);
      const piece = {
        platform,
        title: titleLength > 0 ? (title ?? '') : null,
        parts: told,
        hashtags: distinctTags(
          tags.map((tag) => withoutPrefix(tag, '#')),
          told.join('\n'),
        ),
      };
      const wrong = [...limitFindings(piece), ...factFindings(piece, article)].map(({ message }) => message);
      if (wrong.length > 0) throw new Error(wrong.slice(0, MAX_TOLD).join(' '));
      return piece;
    },
  };
}
