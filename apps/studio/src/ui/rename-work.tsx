import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../i18n/i18n';
import { ProblemAlert } from './problem-alert';
import { Form } from './form';

interface RenameWorkProps {
  name: string;
  rename: (name: string) => Promise<unknown>;
  onRenamed: () => void;
}

/** Form for the name of a piece of work. */
export default function RenameWork({ name, rename, onRenamed }: RenameWorkProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(name);
  const renaming = useMutation({
    mutationFn: () => rename(typed.trim()),
    onSuccess: onRenamed,
  });
  return (
    <Form onSubmit={() => renaming.mutate()}>
      <Stack>
        <TextInput
          label={t('documents.name')}
          maxLength={200}
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {renaming.error && <ProblemAlert error={renaming.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={renaming.isPending}>
            {t('work.rename')}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
