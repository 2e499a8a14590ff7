import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/i18n';
import { deleteBook } from '../../api/books';
import { useMay } from '../../api/session';
import { ProblemAlert } from '../../ui/problem-alert';
import { forgetDraft } from './concept/use-concept';

interface ResetBookProps {
  /** Null if the book exists only in this browser. */
  projectId: string | null;
  onReset: () => void;
}

/** Starts over: deletes the book and the browser's copy, and clears the form (B22). */
export function ResetBook({ projectId, onReset }: ResetBookProps) {
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
      <Modal opened={isOpen} onClose={close} title={t('book.reset')}>
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
      </Modal>
    </>
  );
}
