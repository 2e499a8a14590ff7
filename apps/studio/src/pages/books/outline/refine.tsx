import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/i18n';
import { useBookRun, startBookRun, type Book, type Outline } from '../../../api/books';
import { NeedsModel, useHasModel } from '../../../ui/needs-model';
import { usePhrases } from '../../../ui/use-phrases';
import { bookProgress } from '../progress';
import { Unfollowed } from './unfollowed';
import type { OutlineWork } from './use-outline';
import { Card } from '../../../ui/card';
import { textProps } from '../../../ui/form';
import { ActionButton } from '../../../ui/action-button';

interface RefineProps {
  book: Book;
  outline: OutlineWork;
  isBusy: boolean;
}

/** Changes the outline by the author's feedback, which needs a model; without one, shows the failure of the last run. */
export function Refine(props: RefineProps) {
  const { t } = useTranslation();
  const render = usePhrases();
  const hasModel = useHasModel();
  const last = useBookRun(props.book.session_id).runs?.[0];
  if (hasModel) return <Feedback {...props} />;
  const error = last?.mode === 'refine_toc' ? last.error : null;
  return (
    <Stack gap="xs">
      <NeedsModel text={t('needsModel.outline')} />
      {error && <Alert color="orange">{render(error.phrase, error.message)}</Alert>}
    </Stack>
  );
}

/**
 * Changes the outline by the author's feedback; shows the proposal first, to be accepted or dismissed (B22).
 */
function Feedback({ book, outline, isBusy }: RefineProps) {
  const { t } = useTranslation();
  const render = usePhrases();
  const [feedback, setFeedback] = useState('');
  const [asked, setAsked] = useState<string | null>(null);
  const ask = async () => {
    const inputs = { feedback: feedback.trim(), propose: true };
    setAsked((await startBookRun(book.id, 'refine_toc', inputs)).id);
  };
  const { runs } = useBookRun(book.session_id);
  const run = runs?.find(({ id }) => id === asked);
  const failed = [run, runs?.[0]].find((each) => each?.mode === 'refine_toc' && each.status === 'failed');
  const proposal = run ? bookProgress(run).output_payload.proposed_outline : null;
  const close = () => {
    setAsked(null);
    setFeedback('');
  };
  return (
    <Card label={t('refine.title')}>
      <Textarea
        label={t('refine.title')}
        description={t('refine.hint')}
        minRows={2}
        maxLength={8_000}
        {...textProps(feedback, setFeedback)}
      />
      {failed?.error && <Alert color="orange">{render(failed.error.phrase, failed.error.message)}</Alert>}
      {proposal && <Changes book={book} proposal={proposal} />}
      {run && <Unfollowed run={run} />}
      <Group justify="flex-end">
        {proposal ? (
          <>
            <Button variant="default" onClick={close}>
              {t('refine.discard')}
            </Button>
            <Button
              loading={outline.saving.isPending}
              onClick={() => {
                outline.takeOver(proposal);
                close();
              }}
            >
              {t('refine.takeOver')}
            </Button>
          </>
        ) : (
          <ActionButton
            label={t('refine.ask')}
            loading={asked !== null && isBusy}
            disabled={feedback.trim() === '' || isBusy}
            act={ask}
          />
        )}
      </Group>
    </Card>
  );
}

function Changes({ book, proposal }: { book: Book; proposal: Parameters<typeof outlineChanges>[1] }) {
  const { t } = useTranslation();
  const changes = outlineChanges(book.outline_json, proposal);
  if (changes.every(({ kind }) => kind === 'same')) return <Text role="status">{t('refine.nothing')}</Text>;
  return (
    <ul className="plain-list" aria-label={t('refine.changes')}>
      {changes.map(({ key, kind, before, after }) => (
        <li key={key} className="diff-line" data-kind={kind}>
          <Text size="sm">
            <strong>{t(`refine.${kind}`)}</strong> {before && before !== after ? <del>{before}</del> : null}{' '}
            {after === null ? null : before === after ? after : <ins>{after}</ins>}
          </Text>
        </li>
      ))}
    </ul>
  );
}

interface OutlineChange {
  key: string;
  kind: 'same' | 'changed' | 'moved' | 'added' | 'removed';
  /** Number and title before; null for a new chapter. */
  before: string | null;
  /** Number and title after; null for a removed one. */
  after: string | null;
}

interface Placed {
  number: number;
  chapter: Outline['chapters'][number];
}

/**
 * Returns the effect of a proposed outline on each chapter, in the proposal's order; removed chapters are
 * last.
 */
function outlineChanges(now: Outline, proposed: Outline): OutlineChange[] {
  const before = new Map(now.chapters.map((chapter, i) => [chapter.id, { number: i + 1, chapter }]));
  const kept = proposed.chapters.map((chapter, i): OutlineChange => {
    const after = { number: i + 1, chapter };
    const old = chapter.id === undefined ? undefined : before.get(chapter.id);
    if (chapter.id !== undefined) before.delete(chapter.id);
    return {
      key: chapter.id ?? `new-${i}`,
      kind: old ? kindOf(old, after) : 'added',
      before: old ? named(old) : null,
      after: named(after),
    };
  });
  const gone = [...before.values()].map((old): OutlineChange => ({
    key: old.chapter.id ?? `gone-${old.number}`,
    kind: 'removed',
    before: named(old),
    after: null,
  }));
  return [...kept, ...gone];
}

const named = ({ number, chapter }: Placed): string => `${number}. ${chapter.title}`;

function kindOf(old: Placed, now: Placed): OutlineChange['kind'] {
  const content = ({ chapter: { title, summary, sections } }: Placed) =>
    JSON.stringify([title, summary, sections]);
  if (content(old) !== content(now)) return 'changed';
  return old.number === now.number ? 'same' : 'moved';
}
