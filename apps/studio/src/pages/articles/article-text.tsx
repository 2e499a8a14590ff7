import { Button, Stack, Tabs } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { articleResults } from '../../api/articles';
import { isOver, type Run } from '../../api/runs';
import { ChangeableText } from '../../ui/changeable-text';
import { TextViews } from '../../ui/reading/text-views';
import { PlatformPiece } from './platform-piece';
import { isPlatform, PLATFORMS } from './platform-text';

const RESULTS = ['article', 'corrected', 'annotated', 'report', ...PLATFORMS] as const;

/** Shows the current results of an article, for reading and downloading. */
export function ArticleText({ run }: { run: Run }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string | null>(null);
  const { data: results } = useQuery({
    ...articleResults(run.session_id, `${run.status} ${run.progress.phase}`),
    placeholderData: keepPreviousData,
  });
  const found = RESULTS.flatMap((name) => {
    const text = results?.get(name);
    return text ? [{ name, text }] : [];
  });
  if (found.length === 0) return null;
  const ofRun = found.find(({ name }) => isPlatform(name) === (run.mode === 'repurpose')) ?? found[0]!;
  return (
    // Until the user chooses a result, show the run's own, which may appear after the report.
    <Tabs value={chosen ?? ofRun.name} onChange={setChosen} keepMounted={false}>
      <Tabs.List mb="sm">
        {found.map(({ name }) => (
          <Tabs.Tab key={name} value={name}>
            {t(`articleResult.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {found.map(({ name, text }) => (
        <Tabs.Panel key={name} value={name}>
          <Stack align="stretch" gap="sm">
            <Button
              component="a"
              variant="default"
              w="fit-content"
              href={`/api/sessions/${run.session_id}/results/article/${name}`}
              download={`${name}.md`}
            >
              {t('export.downloadNamed', { name: t(`articleResult.${name}`) })}
            </Button>
            <Result run={run} name={name} text={text} />
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

interface ResultProps {
  run: Run;
  name: (typeof RESULTS)[number];
  text: string;
}

function Result({ run, name, text }: ResultProps) {
  const { t } = useTranslation();
  if (isPlatform(name)) return <PlatformPiece platform={name} text={text} />;
  const label = t(`articleResult.${name}`);
  const lines = <TextViews label={label} markdown={text} />;
  if (name !== 'article' || !isOver(run)) return lines;
  return (
    <ChangeableText text={{ session_id: run.session_id, of: 'article' }} label={label} content={text}>
      {lines}
    </ChangeableText>
  );
}
