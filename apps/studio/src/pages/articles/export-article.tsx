import { Button, Checkbox, Group, Paper, Stack, Title } from '@mantine/core';
import type { CitationStyle } from '#contracts/bibliography-names.js';
import { exportFormats, type ExportFormat } from '#contracts/export-formats.js';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { startArticleExport } from '../../api/articles';
import { exportsOf } from '../../api/documents';
import { isOver, type Run } from '../../api/runs';
import { CitationStyleSelect } from '../../ui/citation-style-select';
import { ExportFiles } from '../../ui/export-files';
import { ProblemAlert } from '../../ui/problem-alert';

/** Exports an approved article to files. */
export function ExportArticle({ run }: { run: Run }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [formats, setFormats] = useState<string[]>(['docx', 'pdf']);
  const [style, setStyle] = useState<CitationStyle | null>(null);
  const starting = useMutation({
    mutationFn: () => startArticleExport(run.session_id, formats as ExportFormat[], style),
    onSuccess: ({ id }) => navigate({ to: '/articles/$runId', params: { runId: id } }),
  });
  return (
    <Paper withBorder p="md" component="section" aria-label={t('articles.export')}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('articles.export')}
        </Title>
        <Checkbox.Group label={t('export.formats')} value={formats} onChange={setFormats}>
          <Group mt={4}>
            {exportFormats.map((format) => (
              <Checkbox key={format} value={format} label={t(`format.${format}`)} />
            ))}
          </Group>
        </Checkbox.Group>
        <CitationStyleSelect value={style} onChange={setStyle} />
        {starting.error && <ProblemAlert error={starting.error} />}
        <Group justify="flex-end">
          <Button
            loading={starting.isPending}
            disabled={formats.length === 0}
            onClick={() => starting.mutate()}
          >
            {t('export.make')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

/** Shows the files of a run that exported an article. */
export function ArticleFiles({ run }: { run: Run }) {
  const { data } = useQuery({ ...exportsOf(run.session_id), enabled: isOver(run) });
  const { exports = [] } = run.progress.details as { exports?: { id: string }[] };
  const made = new Set(exports.map(({ id }) => id));
  const files = data?.items.filter(({ id }) => made.has(id)) ?? [];
  return files.length === 0 ? null : <ExportFiles sessionId={run.session_id} files={files} />;
}
