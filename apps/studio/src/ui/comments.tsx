import { selectionOf } from '../api/changed-lines';
import { Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { proposeChange } from '../api/changes';
import {
  addComment,
  commentsOf,
  placeOf,
  removeComment,
  resolveThread,
  type Comment,
  type CommentedText,
  type Quote,
} from '../api/comments';
import { useMay } from '../api/session';
import { useTranslation } from '../i18n/i18n';
import { ActionButton, RemoveButton, SmallButton } from './actions';
import { ChangeProposal } from './change-selection';
import './comments.css';
import { Age } from './format';
import { Hint, ProblemAlert } from './frames';
import { LineForm } from './line-form';
import { useHasModel } from './needs-model';

interface CommentsProps {
  text: CommentedText;
  markdown: string;
  /** Where the buttons of the comments are shown: next to others of the text. */
  bar: HTMLElement | null;
  /** Shows the text, with the lines of its blocks (`data-line`). */
  children: ReactNode;
}

/** Longest comment and quotation, in characters; as in the API. */
const MAX_LENGTH = 4_000;
/** Narrower windows, in pixels, have no room for a text and its comments at the same time. */
const MIN_WIDTH = 768;
const FIELD = { name: 'text', maxLength: MAX_LENGTH } as const;

/** Shows a text and what people say about it in threads; comments on the selected words. */
export default function Comments({ text, markdown, bar, children }: CommentsProps) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const { data = [], error } = useQuery(commentsOf(text));
  const [asked, setAsked] = useState<Quote | null>(null);
  const [isShown, setShown] = useState<boolean>();
  const mayWrite = useMay('write');
  const threads = data.filter(({ reply_to: of }) => of === null);
  const [open, done] = [true, false].map((isOpen) =>
    threads
      .filter(({ resolved_at: at }) => (at === null) === isOpen)
      .map((thread) => {
        const replies = data.filter(({ reply_to: of }) => of === thread.id);
        const show = () => showIn(frame.current, markdown, thread);
        return <Thread key={thread.id} {...{ text, markdown, thread, replies, show }} />;
      }),
  ) as [ReactNode[], ReactNode[]];
  // Stays when the last open thread is resolved, because a reader may open it again. A phone shows the text first.
  if (isShown === undefined && open.length > 0) setShown(innerWidth >= MIN_WIDTH);
  const ask = () => {
    setAsked(selectedIn(frame.current, markdown));
    setShown(true);
  };
  return (
    <div className="commented">
      {bar &&
        createPortal(
          <>
            <SmallButton
              label={t('comments.title', { count: open.length })}
              aria-expanded={isShown === true}
              onClick={() => setShown(!isShown)}
            />
            {mayWrite && <SmallButton label={t('comments.add')} onClick={ask} />}
          </>,
          bar,
        )}
      <div className="commented-text" data-open={isShown || undefined}>
        <div ref={frame}>{children}</div>
        {isShown && (
          <Stack component="aside" gap="xs" className="no-print" aria-label={t('comments.region')}>
            {error && <ProblemAlert error={error} />}
            {asked && (
              <Paper withBorder p="xs">
                <Quoted quote={asked.quote} />
                <LineForm
                  fields={[{ ...FIELD, label: t('comments.text'), placeholder: t('comments.example') }]}
                  action={t('comments.send')}
                  onSubmit={(typed) => addComment(text, { ...asked, ...typed }).then(() => setAsked(null))}
                />
              </Paper>
            )}
            {!asked && open.length === 0 && <Hint>{t(mayWrite ? 'comments.hint' : 'comments.none')}</Hint>}
            {open}
            {done.length > 0 && (
              <details>
                <summary>{t('comments.resolved', { count: done.length })}</summary>
                <Stack gap="xs">{done}</Stack>
              </details>
            )}
          </Stack>
        )}
      </div>
    </div>
  );
}

const Quoted = ({ quote }: { quote: string }) =>
  quote !== '' && <Text size="sm" lineClamp={3} className="quoted" children={quote} />;

interface ThreadProps extends Omit<CommentsProps, 'bar' | 'children'> {
  thread: Comment;
  replies: readonly Comment[];
  /** Shows the words in the text. */
  show: () => void;
}

/** A comment with its replies, and what can be done with it: reply, have the words changed, resolve, delete. */
function Thread({ text, markdown, thread, replies, show }: ThreadProps) {
  const { t } = useTranslation();
  const hasModel = useHasModel();
  const mayWrite = useMay('write');
  const [change, setChange] = useState<string | null>(null);
  const { id, quote, resolved_at: done } = thread;
  const { session_id: session } = text;
  const start = placeOf(markdown, thread);
  const isPlaced = quote !== '' && start >= 0;
  const all = [thread, ...replies];
  const asks = all.map((each) => each.text).join('\n');
  const revise = async () => {
    const of = text.of === 'chapter' ? { chapter_id: text.chapter_id } : { session_id: session, of: text.of };
    const selection = selectionOf(markdown, { start, end: start + quote.length });
    setChange(await proposeChange(of, { selection, instruction: asks.slice(0, MAX_LENGTH) }));
  };
  const settle = useMutation({ mutationFn: (isDone: boolean) => resolveThread(session, id, isDone) });
  const end = (isAccepted: boolean) => {
    setChange(null);
    if (isAccepted) settle.mutate(true);
  };
  return (
    <Paper withBorder p="xs" component="article" aria-label={thread.text}>
      <Quoted quote={quote} />
      {start < 0 && <Hint>{t('comments.lost')}</Hint>}
      {all.map((each) => (
        <div key={each.id}>
          <Hint size="xs">
            {each.author} · <Age at={each.created_at} />
          </Hint>
          <Text size="sm" className="comment-text" children={each.text} />
        </div>
      ))}
      <Group gap={6} my="xs">
        {isPlaced && <SmallButton size="compact-xs" label={t('comments.show')} onClick={show} />}
        {mayWrite && (
          <>
            {isPlaced && hasModel && done === null && change === null && (
              <ActionButton isSmall size="compact-xs" label={t('comments.revise')} act={revise} />
            )}
            <SmallButton
              size="compact-xs"
              label={t(done === null ? 'comments.resolve' : 'comments.reopen')}
              loading={settle.isPending}
              onClick={() => settle.mutate(done === null)}
            />
            <RemoveButton size="compact-xs" name={thread.text} act={() => removeComment(session, id)} />
          </>
        )}
      </Group>
      {settle.error && <ProblemAlert error={settle.error} />}
      {change !== null && <ChangeProposal runId={change} onEnd={end} />}
      {mayWrite && done === null && (
        <details className="comment-reply">
          <summary onClick={toggleReply}>{t('comments.reply')}</summary>
          <LineForm
            fields={[{ ...FIELD, label: t('comments.reply') }]}
            action={t('comments.send')}
            onSubmit={(typed) => addComment(text, { reply_to: id, ...typed })}
          />
        </details>
      )}
    </Paper>
  );
}

/** Opens or closes a reply. Its field has the focus when the click ends: keys typed at once are not lost. */
function toggleReply(event: MouseEvent<HTMLElement>): void {
  event.preventDefault();
  const reply = event.currentTarget.closest('details')!;
  reply.open = !reply.open;
  reply.querySelector('input')?.focus();
}

/** Scrolls to the block with the words of a comment, and selects what it shows. */
function showIn(frame: HTMLElement | null, markdown: string, quote: Quote): void {
  const line = markdown.slice(0, placeOf(markdown, quote)).split('\n').length;
  const block = blocksIn(frame).findLast(
    ({ dataset }) => Number(dataset['line']) <= line && line <= Number(dataset['end']),
  );
  block?.scrollIntoView({ block: 'center' });
  if (block) getSelection()?.selectAllChildren(block);
}

/** Returns the selected words as they are in the Markdown, otherwise the blocks with them; no words if nothing is selected. */
function selectedIn(frame: HTMLElement | null, markdown: string): Quote {
  const selection = getSelection();
  const words = selection?.toString().trim() ?? '';
  const range = selection && words !== '' ? selection.getRangeAt(0) : null;
  // A triple click ends before the first word of the next block.
  const isSelected = (block: HTMLElement) => {
    const part = range?.intersectsNode(block) && range.cloneRange();
    if (part && !block.contains(part.startContainer)) part.setStart(block, 0);
    if (part && !block.contains(part.endContainer)) part.setEnd(block, block.childNodes.length);
    return part && part.toString().trim() !== '';
  };
  const blocks = blocksIn(frame).filter(isSelected);
  if (blocks.length === 0) return { quote: '', start: 0 };
  const lines = markdown.split('\n');
  const first = Math.min(...blocks.map(({ dataset }) => Number(dataset['line']))) - 1;
  const last = Math.max(...blocks.map(({ dataset }) => Number(dataset['end'])));
  const shown = lines.slice(first, last).join('\n').trimEnd();
  const start = lines.slice(0, first).reduce((sum, line) => sum + line.length + 1, 0);
  const at = shown.indexOf(words);
  return { quote: (at < 0 ? shown : words).slice(0, MAX_LENGTH), start: start + Math.max(0, at) };
}

const blocksIn = (frame: Element | null) => [...(frame?.querySelectorAll<HTMLElement>('[data-line]') ?? [])];
