import { Alert, Button, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { search } from '../../api/knowledge';
import { ProblemAlert } from '../../ui/problem-alert';
import { HitCard } from './hit-card';

const MODES = ['hybrid', 'lexical', 'semantic'] as const;
type Mode = (typeof MODES)[number];

/** Searches a collection, and explains the rank of every passage. */
export function SearchPanel({ collectionId }: { collectionId: string }) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const [mode, setMode] = useState<Mode>('hybrid');
  const searching = useMutation({
    mutationFn: () => search({ collections: [collectionId], query: query.trim(), mode, k: 10 }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (query.trim() !== '') searching.mutate();
  };
  const { data } = searching;
  return (
    <Stack gap="sm" component="section" aria-label={t('search.title')}>
      <Title order={2} size="h4">
        {t('search.title')}
      </Title>
      <form onSubmit={submit} role="search">
        <Group align="flex-end">
          <TextInput
            flex={1}
            miw={200}
            label={t('search.query')}
            maxLength={2_000}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
          <Select
            label={t('search.mode')}
            data={MODES.map((value) => ({ value, label: t(`search.${value}`) }))}
            value={mode}
            allowDeselect={false}
            onChange={(value) => value && setMode(value as Mode)}
            w={240}
          />
          <Button type="submit" loading={searching.isPending} disabled={query.trim() === ''}>
            {t('search.submit')}
          </Button>
        </Group>
      </form>
      {searching.error && <ProblemAlert error={searching.error} />}
      {data?.degraded.includes('semantic') && <Alert color="yellow">{t('search.degraded')}</Alert>}
      {data && (
        <Text size="sm" role="status">
          {t('search.found', { count: data.hits.length })}
        </Text>
      )}
      {data?.hits.map((hit, index) => (
        <HitCard key={hit.chunk_id} hit={hit} rank={index + 1} />
      ))}
    </Stack>
  );
}
