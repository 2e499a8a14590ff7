import { Tabs, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useMutation } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { bookQuery, type Book, deleteBook } from '../../api/books';
import { isBlockingError } from '../../api/query-client';
import { retryingImport } from '../../api/retrying-import';
import { Dialog } from '../../ui/dialog';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { ConceptStep } from './concept/concept-step';
import { StatusCard } from './status-card';
import { useDisclosure } from '@mantine/hooks';
import { useMay } from '../../api/session';
import { forgetDraft } from './concept/use-concept';

const OutlineStep = lazy(retryingImport(() => import('./outline/outline-step')));
const DraftingStep = lazy(retryingImport(() => import('./drafting/drafting-step')));
const ExportStep = lazy(retryingImport(() => import('./export-step')));

const STEPS = ['concept', 'outline', 'drafting', 'export'] as const;

/** Shows one book on its four screens (B22); the id of an unsaved book is "new". */
export function BookPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { projectId, step } = useParams({ from: '/shell/books/$projectId/$step' });
  const isNew = projectId === 'new';
  const [resets, setResets] = useState(0);
  const { data: book, error, isPending, refetch } = useQuery({ ...bookQuery(projectId), enabled: !isNew });
  if (isBlockingError(error, book)) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (isPending && !isNew) return <PageLoader />;
  return (
    <>
      <PageHeader title={book?.title ?? t('books.new')}>
        <ResetBook projectId={isNew ? null : projectId} onReset={() => setResets((count) => count + 1)} />
      </PageHeader>
      {book && <StatusCard book={book} step={step} />}
      <Tabs
        value={step}
        keepMounted={false}
        onChange={(next) => next && void navigate({ to: `/books/${projectId}/${next}` })}
      >
        <Tabs.List mb="md">
          {STEPS.map((name) => (
            <Tabs.Tab key={name} value={name} disabled={isNew && name !== 'concept'}>
              {t(`book.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="concept">
          <ConceptStep key={resets} book={isNew ? null : (book ?? null)} />
        </Tabs.Panel>
        {book && <LaterSteps book={book} />}
      </Tabs>
    </>
  );
}

function LaterSteps({ book }: { book: Book }) {
  return (
    <Suspense fallback={<PageLoader />}>
      <Tabs.Panel value="outline">
        <OutlineStep book={book} />
      </Tabs.Panel>
      <Tabs.Panel value="drafting">
        <DraftingStep book={book} />
      </Tabs.Panel>
      <Tabs.Panel value="export">
        <ExportStep book={book} />
      </Tabs.Panel>
    </Suspense>
  );
}

interface ResetBookProps {
  /** Null if the book exists only in this browser. */
  projectId: string | null;
  onReset: () => void;
}

/** Starts over: deletes the book and the browser's copy, and clears the form (B22). */
function ResetBook({ projectId, onReset }: ResetBookProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isOpen, { open, close }] = useDisclosure();
  const resetting = useMutation({
    mutationFn: async () => {
      if (projectId !== null) await deleteBook(projectId);
      forgetDraft(projectId);
      forgetDraft(null);
    },
    onSuccess: async () => {
      close();
      await navigate({ to: '/books/$projectId/$step', params: { projectId: 'new', step: 'concept' } });
      onReset();
    },
  });
  if (!useMay('write')) return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('book.reset')}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={t('book.reset')}>
        <Stack>
          <Text>{t('book.resetText')}</Text>
          {resetting.error && <ProblemAlert error={resetting.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('book.keep')}
            </Button>
            <Button color="red.9" loading={resetting.isPending} onClick={() => resetting.mutate()}>
              {t('book.resetNow')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
