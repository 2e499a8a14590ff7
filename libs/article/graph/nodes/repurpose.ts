import { phrase } from '#contracts/phrases/phrase.js';
import { askModel, withStage, stepKey } from '#kit/graph/node.js';
import { platforms, type Piece, type Platform } from '../../contract/repurpose.js';
import { renderPiece } from '../../repurpose/check.js';
import { repurposeArticle } from '../../prompts/repurpose.js';
import type { ArticlePorts } from '../ports.js';
import { failed, createMessage, type ArticleNodeFunction } from '../state.js';

async function approvedText(ports: ArticlePorts): Promise<string | null> {
  const approved = await ports.approved();
  return approved && ports.read(approved.text_key);
}

/**
 * A14: rewrites the approved article for each platform, within its limits and without facts that the article
 * does not state. Rules do it without a model, or if the model's answer is unusable.
 */
export function repurpose(ports: ArticlePorts): ArticleNodeFunction {
  return async (state, config) => {
    const article = state.user_text.trim() === '' ? await approvedText(ports) : state.user_text;
    if (article === null) return failed('no_approved_article', phrase('run_error.no_approved_article'));
    const keys: Partial<Record<Platform, string>> = { ...state.piece_keys };
    let stages = state.fallback_stages;
    for (const platform of state.inputs.platforms ?? platforms) {
      const rewritten = await askModel(ports, repurposeArticle(article, platform), config);
      const piece: Piece = {
        ...(rewritten ?? (await ports.rules.call('piece', article, platform))),
        findings: [],
      };
      if (piece.parts.length === 0) return failed('nothing_to_tell', phrase('run_error.nothing_to_tell'));
      if (!rewritten) stages = withStage(stages, `repurpose_${platform}`);
      keys[platform] = await ports.keep(renderPiece(piece));
    }
    ports.emit({
      type: 'article_repurposed',
      data: { platforms: Object.keys(keys) },
      effectKey: `${stepKey(config)}/article_repurposed`,
    });
    return {
      piece_keys: keys,
      fallback_stages: stages,
      status: 'completed',
      messages: [createMessage('desk', `Told again for ${Object.keys(keys).join(', ')}.`)],
    };
  };
}
