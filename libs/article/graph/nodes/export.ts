import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { runRemotely } from '#kit/graph/remote.js';
import type { ArticlePorts } from '../ports.js';
import { failed, type ArticleNodeFunction } from '../state.js';

/** Chooses the article to export: the given text, with the sources of the approved one, or the approved one. */
export function chooseArticle(ports: ArticlePorts): ArticleNodeFunction {
  return async (state) => {
    const approved = await ports.approved();
    if (state.user_text.trim() === '')
      return approved
        ? { exported: approved }
        : failed('no_approved_article', phrase('run_error.no_approved_article'));
    const text_key = await ports.keep(state.user_text);
    return { exported: { text_key, sources_key: approved?.sources_key ?? null } };
  };
}

/** Exports one format per step. A worker creates the file. The run ends when all formats are exported. */
export const exportArticle: ArticleNodeFunction = (state) => {
  const { formats = ['docx', 'pdf'], citation_style, pdf_standard, proposals, author } = state.inputs;
  const format = formats.find((wanted) => !state.exports.some((made) => made.format === wanted));
  if (!format) return Promise.resolve({ status: 'completed' });
  const outcome = runRemotely('article_export', {
    session_id: state.session_id,
    ...state.exported!,
    format,
    ...(citation_style && { citation_style }),
    ...(pdf_standard && { pdf_standard }),
    ...(proposals && { proposals }),
    ...(author && { author }),
  });
  if (!outcome.ok) return Promise.resolve(failed(outcome.error.code, detailOf(outcome.error)));
  const { export_id: id, name } = outcome.output;
  const exports = [...state.exports, { id, format, name }];
  const isLast = formats.every((wanted) => exports.some((made) => made.format === wanted));
  return Promise.resolve({ exports, ...(isLast && { status: 'completed' as const }) });
};
