import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/i18n';
import { collectionOfBook, sourcesOf } from '../../../api/knowledge';
import { useMay } from '../../../api/session';
import { AddFiles } from '../../knowledge/add-files';
import { SourceList } from '../../knowledge/source-list';

interface BookSourcesProps {
  /** Null if the book exists only in this browser. */
  projectId: string | null;
  ensureBook: () => Promise<string>;
}

/** Lists the book's sources: notes and files, each with its weight (B14, B15). */
export function BookSources({ projectId, ensureBook }: BookSourcesProps) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const collection = useQuery({ ...collectionOfBook(projectId ?? ''), enabled: projectId !== null });
  const sources = useQuery({ ...sourcesOf(collection.data ?? ''), enabled: collection.data !== undefined });
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
          <AddFiles
            label={t('bookSources.add')}
            collection={async () => collectionOfBook(await ensureBook()).queryFn()}
          />
        )}
        {sources.data && collection.data && (
          <SourceList collectionId={collection.data} sources={sources.data.items} />
        )}
      </Stack>
    </Paper>
  );
}
