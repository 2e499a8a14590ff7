import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { runsOfBook, shownRun, startBookRun, type Book } from '../../../api/books';
import { isOver } from '../../../api/runs';
import { useMay } from '../../../api/session';
import { ConfirmButton } from '../../../ui/confirm-button';
import { DraftChoices } from '../../../ui/draft-choices';
import { EmptyState } from '../../../ui/empty-state';
import { ProblemAlert } from '../../../ui/problem-alert';
import { ChapterRows } from './chapter-rows';
import { Refine } from './refine';
import { useOutline } from './use-outline';

/** The chapters of a book in their order: made by a run, changed by hand or by feedback (B12, B22). */
export default function OutlineStep({ book }: { book: Book }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const outline = useOutline(book);
  const run = shownRun(useQuery(runsOfBook(book.session_id)).data);
  const isBusy = run !== undefined && !isOver(run);
  const making = useMutation({ mutationFn: () => startBookRun(book.id, 'toc') });
  const make = (
    <Button onClick={() => making.mutate()} loading={making.isPending} disabled={isBusy}>
      {t('outline.make')}
    </Button>
  );
  const choices = mayWrite && (
    <DraftChoices
      drafts={outline.drafts}
      etag={book.etag}
      describe={(rows) => t('outline.chapters', { count: rows.length })}
    />
  );
  if (outline.rows.length === 0)
    return (
      <Stack>
        {choices}
        {making.error && <ProblemAlert error={making.error} />}
        <EmptyState title={t('outline.empty')} text={t('outline.emptyText')}>
          {mayWrite && make}
          {mayWrite && (
            <Button variant="default" onClick={() => outline.add(t('outline.newChapter', { number: 1 }))}>
              {t('outline.byHand')}
            </Button>
          )}
        </EmptyState>
      </Stack>
    );
  return (
    <Stack gap="lg">
      {book.outline_json.synopsis && <Text>{book.outline_json.synopsis}</Text>}
      {choices}
      <fieldset className="plain-fieldset" disabled={!mayWrite || isBusy}>
        <ChapterRows outline={outline} />
      </fieldset>
      {outline.saving.error && <ProblemAlert error={outline.saving.error} />}
      {mayWrite && <Actions book={book} outline={outline} isBusy={isBusy} />}
      {mayWrite && !outline.isDirty && <Refine book={book} outline={outline} isBusy={isBusy} />}
    </Stack>
  );
}

interface ActionsProps {
  book: Book;
  outline: ReturnType<typeof useOutline>;
  isBusy: boolean;
}

function Actions({ book, outline, isBusy }: ActionsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const add = () => outline.add(t('outline.newChapter', { number: outline.rows.length + 1 }));
  return (
    <Group justify="space-between">
      <Button variant="default" onClick={add} disabled={isBusy}>
        {t('outline.add')}
      </Button>
      {outline.isDirty ? (
        <Group>
          <Text size="sm" c="dimmed" role="status">
            {t('outline.unsaved')}
          </Text>
          <ConfirmButton
            size="sm"
            label={t('outline.undo')}
            confirm={t('outline.undoNow')}
            consequence={t('outline.undoText')}
            onConfirm={outline.undo}
          />
          <Button onClick={outline.save} disabled={!outline.isCurrent} loading={outline.saving.isPending}>
            {t('outline.save')}
          </Button>
        </Group>
      ) : (
        <Button onClick={() => void navigate({ to: `/books/${book.id}/drafting` })}>
          {t('outline.next')}
        </Button>
      )}
    </Group>
  );
}
