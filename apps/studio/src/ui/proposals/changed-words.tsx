import { createContext, createElement, useContext, type ReactNode } from 'react';
import type { Piece } from './pieces';

export type ProposalState = 'open' | 'accepted' | 'rejected';

/** What the marks of changed words depend on: the state of each proposal, and the one under the cursor. */
export const ShownStates = createContext<{ states: ReadonlyMap<string, ProposalState>; current: string }>({
  states: new Map(),
  current: '',
});

/** Shows words that a proposal changes, in its state. */
export function ChangedWords({ change, children }: { change: Piece['change']; children: ReactNode }) {
  const { states, current } = useContext(ShownStates);
  if (!change) return children;
  const { tag, proposal } = change;
  const isCurrent = proposal === current || undefined;
  return createElement(tag, { 'data-state': states.get(proposal), 'data-current': isCurrent }, children);
}

/** Shows parts of a text as Markdown. */
export const ChangedMarkdown = ({ pieces }: { pieces: readonly Piece[] }) => (
  <div className="verbatim">
    {pieces.map(({ text, change }, index) => (
      <ChangedWords key={index} change={change}>
        {text}
      </ChangedWords>
    ))}
  </div>
);
