import type { Structure } from '#contracts/structure.js';
import { buildStructure } from '#office/structure/build.js';
import { useMemo } from 'react';
import RenderedText, { StructureView } from '../reading/rendered-text';
import { ChangedMarkdown, ChangedWords } from './changed-words';
import type { Piece } from './pieces';

interface ProposedTextProps {
  pieces: readonly Piece[];
  /** Session with the pictures of the text. */
  sessionId?: string | undefined;
}

/** Renders a paragraph with the words that proposals delete and insert; as Markdown if that cannot be rendered. */
export default function ProposedText({ pieces, sessionId }: ProposedTextProps) {
  const isWhole = pieces.every(({ change }) => change !== null);
  const structure = useMemo(() => (isWhole ? null : changedStructure(pieces)), [pieces, isWhole]);
  if (structure) return <StructureView label={null} structure={structure} sessionId={sessionId} />;
  if (!isWhole) return <ChangedMarkdown pieces={pieces} />;
  return (
    <div className="whole-paragraphs">
      {pieces.map(({ text, change }, index) => (
        <ChangedWords key={index} change={change}>
          <RenderedText label={null} markdown={text} fallback={text} {...(sessionId && { sessionId })} />
        </ChangedWords>
      ))}
    </div>
  );
}

/** Marks the edges of changed words in the Markdown: a private character, which text does not contain. */
const EDGE = '\uE000';

/**
 * Returns the structure of a paragraph in which the inlines of changed words carry their change; null if a change is not
 * in the text, such as in code or in an address.
 */
export function changedStructure(pieces: readonly Piece[]): Structure | null {
  const changes: Piece['change'][] = [];
  const markdown = pieces.map(({ text, change }) => {
    const words = text.trim();
    if (change === null) return text;
    if (words === '') return change.tag === 'ins' ? text : '';
    changes.push(change);
    return text.replace(words, () => EDGE + words + EDGE);
  });
  let edges = 0;
  const mark = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.flatMap(mark);
    if (typeof node !== 'object' || node === null) return node;
    if ('type' in node && node.type === 'text' && 'value' in node)
      return String(node.value)
        .split(EDGE)
        .map((value, index) => {
          if (index > 0) edges++;
          return { ...node, value, ...(edges % 2 === 1 && { change: changes[(edges - 1) / 2] }) };
        })
        .filter(({ value }) => value !== '');
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, mark(value)]));
  };
  try {
    const structure = mark(buildStructure(markdown.join(''))) as Structure;
    return edges === 2 * changes.length ? structure : null;
  } catch {
    return null;
  }
}
