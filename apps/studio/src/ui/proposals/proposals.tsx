import { Badge, Group, NativeSelect, Paper, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { retryingImport } from '../../api/retrying-import';
import { useTranslation } from '../../i18n/i18n';
import { Hint, ProblemAlert } from '../frames';
import { textProps, SmallButton } from '../actions';
import { ShownStates, type ProposalState } from './changed-words';
import { piecesOf, type ParagraphChange, type Piece } from './pieces';
import './proposals.css';

const ProposedText = lazy(retryingImport(() => import('./proposed-text')));

/** A proposed change of a paragraph, or a remark about it. */
export interface Proposed extends ParagraphChange {
  /** What kind of change it is. */
  title: string;
  /** Who or which rules propose it. */
  by: readonly string[];
  state: ProposalState;
  /** Whether it was applied, so that its state stays. */
  isApplied?: boolean;
  /** Its reason and evidence, and fields that belong to the decision. */
  notes?: ReactNode;
}

/** A paragraph of a text, as Markdown, with the changes that are proposed in it. */
export interface ProposedParagraph {
  key: string;
  text: string;
  proposals: readonly Proposed[];
  /** What the margin says about the paragraph itself. */
  notes?: ReactNode;
}

/** Returns a map by id that the tab keeps, also when it is reloaded. */
function useKept<Value>(key: string) {
  const kept = { key, defaultValue: [], getInitialValueInEffect: false };
  const [entries, set] = useSessionStorage<(readonly [string, Value])[]>(kept);
  const add = (added: readonly (readonly [string, Value])[]) =>
    set((before) => [...new Map([...before, ...added])]);
  return [new Map(entries), add] as const;
}

/** Returns decisions that the tab keeps until the page sends them. Proposals are open at first. @param about what they are about */
export function useDecisions(about: string) {
  const [states, addStates] = useKept<ProposalState>(`scriptorium.proposals.${about}`);
  const [reasons, addReasons] = useKept<string>(`scriptorium.reasons.${about}`);
  const isRejected = (id: string) => states.get(id) === 'rejected';
  return {
    isRejected,
    stateOf: (id: string): ProposalState => states.get(id) ?? 'open',
    decide: (ids: readonly string[], state: ProposalState) => addStates(ids.map((id) => [id, state])),
    /** Returns the reason for a rejection, without spaces around; empty if none was typed. */
    reasonOf: (id: string) => (reasons.get(id) ?? '').trim(),
    /** Returns a field for the reason while a proposal is rejected. */
    reasonField: (id: string, label: string, maxLength: number) =>
      isRejected(id) && (
        <TextInput
          mt="xs"
          {...{ label, maxLength }}
          {...textProps(reasons.get(id) ?? '', (reason) => addReasons([[id, reason]]))}
        />
      ),
  };
}

interface ProposalsProps {
  label: string;
  paragraphs: readonly ProposedParagraph[];
  /** Session with the pictures of the text. */
  sessionId?: string | undefined;
  /** Absent if the user may not decide now. @throws ApiProblem */
  decide?: ((ids: string[], state: ProposalState) => unknown) | undefined;
  /** What happens to open proposals, and the action that ends the review. */
  children?: ReactNode;
}

/**
 * Shows proposals in their text: words that they delete and insert, who proposes them and why in the margin, and a bar
 * with the decision. While the focus is in the list, j and k go to the next and the previous one, a and r accept and
 * reject it, and u takes the last decision back.
 */
export function Proposals({ label, paragraphs, sessionId, decide, children }: ProposalsProps) {
  const { t } = useTranslation();
  const review = useReview(paragraphs, decide);
  const { all, current } = review;
  const states = useMemo(
    () => ({ states: new Map(all.map(({ id, state }) => [id, state])), current: current?.id ?? '' }),
    [all, current],
  );
  return (
    <div role="group" aria-label={label} ref={review.frame} onKeyDown={decide && review.onKey}>
      <ShownStates value={states}>
        {paragraphs.map((paragraph) => (
          <Paragraph key={paragraph.key} {...{ paragraph, sessionId, review }} />
        ))}
      </ShownStates>
      <div className="proposals-bar" data-final={children === undefined ? undefined : true}>
        <Group gap="xs" justify="space-between">
          <Text size="sm" role="status">
            {STATES.map((state) =>
              t(`proposals.${state}`, { count: all.filter((one) => one.state === state).length }),
            ).join(' · ')}
          </Text>
          {decide && <OfAll review={review} />}
        </Group>
        {review.error && <ProblemAlert error={review.error} />}
        {children}
      </div>
    </div>
  );
}

const STATES = ['open', 'accepted', 'rejected'] as const;

type Review = ReturnType<typeof useReview>;

/** Returns the proposals in order, the one under the cursor, and functions that move, decide and undo. */
function useReview(paragraphs: readonly ProposedParagraph[], decide: ProposalsProps['decide']) {
  const frame = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  /** Proposals of each decision with their state before, the last decision at the end. */
  const [past, setPast] = useState<(readonly Proposed[])[]>([]);
  const all = useMemo(() => paragraphs.flatMap(({ proposals }) => proposals), [paragraphs]);
  const current = all.find(({ id }) => id === chosen) ?? all[0];
  const scope = { id: useId() };
  const deciding = useMutation({
    // Decisions about the same proposal must arrive in their order.
    scope,
    mutationFn: async (changes: readonly { ids: string[]; state: ProposalState }[]) => {
      for (const { ids, state } of changes) await decide?.(ids, state);
    },
  });
  // A second decision may be on its way before the first has arrived.
  const remember = async (changed: readonly Proposed[], state: ProposalState) => {
    await deciding.mutateAsync([{ ids: changed.map(({ id }) => id), state }]);
    setPast((before) => [...before, changed]);
  };
  const move = (to: Proposed | undefined) => {
    if (!to) return;
    setChosen(to.id);
    frame.current?.querySelector<HTMLElement>(`[data-proposal="${CSS.escape(to.id)}"]`)?.focus();
  };
  const at = current ? all.indexOf(current) : 0;
  const set = (decided: readonly Proposed[], state: ProposalState) => {
    const changed = decided.filter((one) => one.state !== state && !one.isApplied);
    if (changed.length > 0) remember(changed, state).catch(() => undefined);
  };
  const decideOne = (one: Proposed, state: ProposalState, next = one) => {
    set([one], state);
    move(next);
  };
  const step = (by: 1 | -1) => move(all[at + by]);
  const decideCurrent = (state: ProposalState) => current && decideOne(current, state, all[at + 1]);
  const undo = () => {
    const last = past.at(-1);
    if (!last) return;
    const inState = (state: ProposalState) => last.flatMap((one) => (one.state === state ? [one.id] : []));
    const before = STATES.map((state) => ({ state, ids: inState(state) }));
    setPast((now) => now.slice(0, -1));
    // What could not be undone can be tried again.
    deciding
      .mutateAsync(before.filter(({ ids }) => ids.length > 0))
      .catch(() => setPast((now) => [...now, last]));
    move(last[0]);
  };
  const keys: Record<string, () => unknown> = {
    j: () => step(1),
    k: () => step(-1),
    a: () => decideCurrent('accepted'),
    r: () => decideCurrent('rejected'),
    u: undo,
  };
  const onKey = (event: KeyboardEvent) => {
    const act = keys[event.key];
    const isTyping =
      event.target instanceof Element &&
      event.target.closest('input, textarea, select, [contenteditable=true]');
    if (!act || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    // The page may have the same keys for its own list.
    event.stopPropagation();
    event.preventDefault();
    act();
  };
  return {
    ...{ frame, all, current, set, decideOne, undo, onKey, setChosen },
    ...{ canUndo: past.length > 0, mayDecide: decide !== undefined, error: deciding.error },
  };
}

interface ParagraphProps {
  paragraph: ProposedParagraph;
  sessionId: string | undefined;
  review: Review;
}

/** A paragraph, and its proposals in the margin. */
function Paragraph({ paragraph: { text, proposals, notes }, sessionId, review }: ParagraphProps) {
  // The states change often; the words do not.
  const places = JSON.stringify(proposals.map(({ id, span, after }) => ({ id, span, after })));
  const pieces = useMemo(() => piecesOf(text, JSON.parse(places) as ParagraphChange[]), [text, places]);
  return (
    <div className="proposed-paragraph">
      <div>
        <Suspense fallback={<div className="verbatim">{text}</div>}>
          <ProposedText pieces={pieces} sessionId={sessionId} />
        </Suspense>
      </div>
      <Stack gap="xs">
        {proposals.map((proposal) => (
          <Margin key={proposal.id} {...{ proposal, pieces, review }} />
        ))}
        {notes}
      </Stack>
    </div>
  );
}

/** Characters of deleted and inserted words that a screen reader reads with a proposal. */
const READ_CHARACTERS = 300;

interface MarginProps {
  proposal: Proposed;
  pieces: readonly Piece[];
  review: Review;
}

/** Who proposes a change and why, and its decision. */
function Margin({ proposal, pieces, review }: MarginProps) {
  const { t } = useTranslation();
  const { id, title, by, state, notes, isApplied = false } = proposal;
  const isCurrent = review.current?.id === id;
  const words = (tag: 'del' | 'ins') =>
    pieces
      .flatMap(({ text, change }) => (change?.tag === tag && change.proposal === id ? [text.trim()] : []))
      .join(' … ')
      .slice(0, READ_CHARACTERS);
  const [deleted, inserted] = [words('del'), words('ins')];
  const button = (to: ProposalState, key: string) => (
    <SmallButton
      size="compact-sm"
      label={t(`proposals.${key}`)}
      name={title}
      onClick={() => review.decideOne(proposal, to)}
    />
  );
  return (
    <Paper
      withBorder
      p="xs"
      component="article"
      tabIndex={isCurrent ? 0 : -1}
      className="proposal"
      aria-label={title}
      aria-keyshortcuts={review.mayDecide ? 'j k a r u' : undefined}
      data-proposal={id}
      data-current={isCurrent || undefined}
      onFocus={() => review.setChosen(id)}
    >
      <Group gap={6}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Badge variant="light">{t(`proposalState.${state}`)}</Badge>
      </Group>
      {by.length > 0 && <Hint>{by.join(', ')}</Hint>}
      <VisuallyHidden>
        {deleted && t('proposals.deleted', { words: deleted })}{' '}
        {inserted && t('proposals.inserted', { words: inserted })}
      </VisuallyHidden>
      {notes}
      {review.mayDecide && !isApplied && (
        <Group gap={6} mt={6}>
          {state !== 'accepted' && button('accepted', 'accept')}
          {state !== 'rejected' && button('rejected', 'reject')}
          {state !== 'open' && button('open', 'reopen')}
        </Group>
      )}
    </Paper>
  );
}

/** Decides about all open proposals, or those of one author or rule, and takes the last decision back. */
function OfAll({ review }: { review: Review }) {
  const { t } = useTranslation();
  const [by, setBy] = useState('');
  const names = [...new Set(review.all.flatMap((proposal) => proposal.by))];
  const open = review.all.filter((one) => one.state === 'open' && (by === '' || one.by.includes(by)));
  const button = (label: string, isIdle: boolean, act: () => void) => (
    <SmallButton label={t(`proposals.${label}`)} isIdle={isIdle} onClick={act} />
  );
  return (
    <Group gap="xs">
      {names.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label={t('proposals.of')}
          data={[{ value: '', label: t('proposals.ofAll') }, ...names]}
          {...textProps(by, setBy)}
        />
      )}
      {button('acceptAll', open.length === 0, () => review.set(open, 'accepted'))}
      {button('rejectAll', open.length === 0, () => review.set(open, 'rejected'))}
      {button('undo', !review.canUndo, review.undo)}
      <span className="proposal-keys">{t('proposals.keys')}</span>
    </Group>
  );
}
