import { Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { writeDocument, sourceFiles } from '../../api/documents';
import { retryingImport } from '../../api/retrying-import';
import type { SourceFile } from '../../api/source-files';
import { useTranslation } from '../../i18n/i18n';
import { SmallButton } from '../../ui/actions';
import { lazyPart } from '../../ui/lazy-part';
import { ProblemAlert } from '../../ui/frames';
import { SourceDrop, useSelection } from '../../ui/source-drop';

const loadExample = retryingImport(() => import('./example'));
const ChosenDocument = lazyPart(() => import('./chosen-document'));

interface Work {
  files: SourceFile<File>[];
  title: string;
}

/** Collects dropped files or folders and starts the document. */
export default function NewDocument() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const chosen = useSelection();
  const [sent, setSent] = useState(0);
  const writing = useMutation({
    mutationFn: ({ files, title }: Work) => writeDocument(files, title.trim(), setSent),
    onSuccess: async (sessionId) => {
      const { leftOut, notCarried } = chosen.selection;
      await navigate({
        to: '/documents/$sessionId',
        params: { sessionId },
        state: { skipped: { leftOut, notCarried } },
      });
    },
  });
  const example = useMutation({
    mutationFn: async () =>
      (await (
        await sourceFiles()
      ).checkPicked(await (await loadExample()).exampleFiles())) as SourceFile<File>[],
    onSuccess: (files) => writing.mutate({ files, title: '' }),
  });
  const error = example.error ?? writing.error;
  return (
    <Stack>
      <SourceDrop chosen={chosen}>
        {chosen.isEmpty && (
          <SmallButton
            variant="subtle"
            size="compact-sm"
            label={t('newDocument.example')}
            loading={example.isPending || writing.isPending}
            onClick={() => example.mutate()}
          />
        )}
      </SourceDrop>
      {error && <ProblemAlert error={error} />}
      {!chosen.isEmpty && (
        <ChosenDocument
          chosen={chosen}
          sent={writing.isPending ? sent : null}
          onWrite={(files, title) => writing.mutate({ files, title })}
        />
      )}
    </Stack>
  );
}
