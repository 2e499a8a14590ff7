import type { Finding } from '#contracts/findings.js';
import {
  COMPARE_RULE,
  findingLines,
  OWN_FINDINGS,
  PROOF_FORM,
  PROOF_RULE,
  placedFindings,
  reviewerFindingSchema,
} from '#writing/proofs/reviewer.js';
import { isDisputed, proofsSchema, type Verdict, verdictsOf } from '#writing/proofs/proofs.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { numberedDraft } from '#writing/revision.js';
import { noteLabels } from '#writing/sentences.js';
import { z } from 'zod';
import { askModel } from './node.js';
import { readJson, type Operation } from './structured.js';
import { promptOf, tagged } from './tagged.js';

const answerSchema = z.object({
  findings: z.array(reviewerFindingSchema(['unsupported', 'contradiction'])).max(100),
  proofs: proofsSchema,
});
type Answer = z.infer<typeof answerSchema>;

/** A text whose claims are reviewed. */
interface ReviewedText {
  /** System prompt, and the beginning of the prompt with the passages, which other operations share. */
  system: string;
  prefix: string;
  text: string;
  /** Findings of `checkCitations` in the text. */
  findings: Finding[];
}

/** What a reviewer answers: verdicts on disputed findings, and findings of its own. */
export interface ClaimsReview {
  verdicts: Verdict[];
  findings: Finding[];
}

/**
 * Lets the main model compare a text with its passages, and settle what the rules left open (X15).
 * A long text is reviewed in parts.
 *
 * @returns null without a model, or if a person chose that rules answer
 */
export async function reviewClaims(
  ports: Parameters<typeof askModel>[0],
  reviewed: ReviewedText,
  config: Parameters<typeof askModel>[2],
): Promise<ClaimsReview | null> {
  const review: ClaimsReview = { verdicts: [], findings: [] };
  for (const part of partsOf(reviewed)) {
    const answer = await askModel(ports, reviewPart(reviewed, part), config);
    if (answer === null) return null;
    review.verdicts.push(...verdictsOf(answer.proofs, part.findings));
    review.findings.push(...placedFindings(reviewed.text, answer.findings).map(({ finding }) => finding));
  }
  return review;
}

interface Part {
  text: string;
  findings: Finding[];
}

/** Characters of a text that one call reviews. */
const PART_LENGTH = 24_000;

/** Splits a text at paragraphs; each part has the findings of its paragraphs. */
function partsOf({ text, findings }: ReviewedText): Part[] {
  const parts: { start: number; end: number }[] = [];
  for (const { start, end } of splitParagraphs(text)) {
    const last = parts.at(-1);
    if (last && end - last.start <= PART_LENGTH) last.end = end;
    else parts.push({ start, end });
  }
  return parts
    .map(({ start, end }) => ({
      text: text.slice(start, end),
      findings: findings.filter(({ span }) => span !== null && span.start >= start && span.start < end),
    }))
    .filter((part) => noteLabels(part.text).length > 0);
}

function reviewPart({ system, prefix, text }: ReviewedText, part: Part): Operation<Answer> {
  const mustProve = part.findings.some(isDisputed);
  return {
    name: 'review_claims',
    tier: 'main',
    system,
    prompt: promptOf(
      prefix,
      tagged('draft', numberedDraft(part.text)),
      tagged('rule_findings', findingLines(part.findings, text)),
      `Task: check <draft> against <passages>, as a reviewer who did not write it.
${COMPARE_RULE} ${part.findings.length > 0 ? 'A program has found what is in <rule_findings>; do not report it again.' : ''}
${mustProve ? `${PROOF_RULE}\n` : ''}${OWN_FINDINGS} "contradiction" means that a passage says otherwise, "unsupported" that no passage says it, or none that the sentence cites; a judgement or praise that the passage does not give is unsupported. A text without problems has no findings.
Answer with one JSON object and nothing else:
{"findings": [{"paragraph_id": "3fa9c01b77", "kind": "unsupported" or "contradiction", "quote": "words of the draft", "why": "what is wrong, and what the passage says", "fix": "what to write instead", "severity": "severe" or "minor"}]${mustProve ? `, ${PROOF_FORM}` : ''}}`,
    ),
    schema: answerSchema,
    read: (answer) => readJson(answerSchema, answer),
  };
}
