import { Anchor, Button, FileButton, Group, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addFiles, PRIORITIES, collectionOfBook, sourcesOf, type Priority } from '../../../api/knowledge';
import { useMay } from '../../../api/session';
import { ProblemAlert } from '../../../ui/problem-alert';
import { SourceList } from '../../knowledge/source-list';

interface BookSourcesProps {
  /** Null while the book is only in this browser. */
  projectId: string | null;
  ensureBook: () => Promise<string>;
}

/** What the book stands on: notes and files, each with its weight (B14, B15). */
export function BookSources({ projectId, ensureBook }: BookSourcesProps) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const [priority, setPriority] = useState<Priority>('supporting');
  const collection = useQuery({ ...collectionOfBook(projectId ?? ''), enabled: projectId !== null });
  const sources = useQuery({ ...sourcesOf(collection.data ?? ''), enabled: collection.data !== undefined });
  const adding = useMutation({
    mutationFn: async (files: File[]) => {
      const id = await ensureBook();
      const target = await collectionOfBook(id).queryFn();
      await addFiles(target, files, priority);
    },
  });
  return (
    <Paper withBorder p="md" component="section" aria-label={t('bookSources.title')}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-end">
          <Title order={2} size="h4">
            {t('bookSources.title')}
          </Title>
          {collection.data && (
            <Anchor component={Link} to={`/knowledge/${collection.data}`} size="sm">
              {t('bookSources.search')}
            </Anchor>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {t('bookSources.text')}
        </Text>
        {mayWrite && (
          <Group align="flex-end">
            <Select
              label={t('knowledge.priority')}
              data={PRIORITIES.map((value) => ({ value, label: t(`priority.${value}`) }))}
              value={priority}
              onChange={(value) => setPriority((value as Priority | null) ?? 'supporting')}
              allowDeselect={false}
              w={180}
            />
            <FileButton multiple onChange={(files) => files.length > 0 && adding.mutate(files)}>
              {(props) => (
                <Button variant="default" loading={adding.isPending} {...props}>
                  {t('bookSources.add')}
                </Button>
              )}
            </FileButton>
          </Group>
        )}
        {adding.error && <ProblemAlert error={adding.error} />}
        {sources.data && collection.data && (
          <SourceList collectionId={collection.data} sources={sources.data.items} />
        )}
      </Stack>
    </Paper>
  );
}
