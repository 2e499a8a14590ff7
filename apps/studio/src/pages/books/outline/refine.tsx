import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/i18n';
import { useBookRun, startBookRun, type Book, type Outline } from '../../../api/books';
import { ComparedWords } from '../../../ui/proposals/compared-words';
import { NeedsModel, useHasModel } from '../../../ui/needs-model';
import { usePhrases } from '../../../ui/run-words';
import { bookProgress } from '../progress';
import { Unfollowed } from './unfollowed';
import type { OutlineWork } from './use-outline';
import { Card } from '../../../ui/frames';
import { textProps, ActionButton, SmallButton } from '../../../ui/actions';

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
  const proposal = run ? bookProgress(run).proposed_outline : null;
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
      {proposal && <Changes now={book.outline_json} proposal={proposal} />}
      {run && <Unfollowed run={run} />}
      <Group justify="flex-end">
        {proposal ? (
          <>
            <SmallButton size="sm" label={t('refine.discard')} onClick={close} />
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

/** Shows the words that a proposal changes in the titles, summaries and sections of the outline. */
function Changes({ now, proposal }: { now: Outline; proposal: Outline }) {
  const { t } = useTranslation();
  const [before, after] = [textOf(now), textOf(proposal)];
  if (before === after) return <Text role="status">{t('refine.nothing')}</Text>;
  return (
    <div role="region" aria-label={t('refine.changes')}>
      <ComparedWords before={before} after={after} />
    </div>
  );
}

const textOf = ({ chapters }: Outline): string =>
  chapters
    .flatMap(({ title, summary, sections = [] }, index) => [
      `${index + 1}. ${title}`,
      ...(summary ? [summary] : []),
      ...sections.map((section) => `– ${section.title}`),
      '',
    ])
    .join('\n');
