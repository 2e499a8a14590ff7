import { AIMessage } from '@langchain/core/messages';
import type { RunModel } from '#kit/graph/ports.js';
import { passagesBlock } from '#kit/graph/passages.js';
import { reviewClaims } from '#kit/graph/review-claims.js';
import { DATA_RULE } from '#kit/graph/tagged.js';
import type { Finding } from '#contracts/findings.js';
import { checkCitations } from '#writing/citations.js';
import { withVerdicts } from '#writing/proofs/proofs.js';
import { type Draft, passagesOf } from './reviewed-set.js';

/**
 * Reviews a draft as the product does. @param answer gives the reviewer's answer to a prompt
 *
 * @returns all findings: of the rules, settled by the proofs, and of the reviewer
 */
export async function review(
  { source, text }: Draft,
  answer: (prompt: string) => string,
): Promise<{ rules: Finding[]; reviewed: Finding[] }> {
  const passages = passagesOf(source);
  const { findings } = checkCitations(text, passages);
  const call: RunModel['call'] = ({ messages }) =>
    Promise.resolve(new AIMessage(answer(messages.map((message) => message.text).join('\n\n'))));
  const result = await reviewClaims(
    { model: { label: 'reviewer', call } as RunModel, offline: false, emit: () => undefined },
    { system: `You review texts.\n${DATA_RULE}`, prefix: passagesBlock(passages), text, findings },
    { configurable: { checkpoint_ns: 'review' } },
  );
  const settled = withVerdicts(text, findings, result!.verdicts, passages);
  return { rules: findings, reviewed: [...settled, ...result!.findings] };
}

/** Returns the sentences of a draft that have a finding which is more than a remark. */
export const flagged = ({ text, sentences }: Draft, findings: Finding[]): string[] =>
  sentences
    .map(({ sentence }) => sentence)
    .filter((sentence) => {
      const start = text.indexOf(sentence);
      const end = start + sentence.length;
      return findings.some(
        ({ span, severity }) => severity !== 'info' && span !== null && span.start < end && span.end > start,
      );
    });
