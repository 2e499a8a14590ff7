import { Button, Menu, useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../i18n/i18n';
import { signOut } from '../api/session';
import { changeLanguage } from '../i18n/i18n';
import { languages, type Language } from '../i18n/language';

const SCHEMES = ['light', 'dark', 'auto'] as const;

interface AccountEntriesProps {
  name: string;
  /** Name of the session's API key. */
  keyName: string;
}

/** Menu entries for appearance, language and sign-out; initially open. */
export default function AccountEntries({ name, keyName }: AccountEntriesProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leave = async () => {
    await signOut();
    await navigate({ to: '/sign-in' });
  };
  return (
    <Menu position="bottom-end" width={240} defaultOpened>
      <Menu.Target>
        <Button variant="subtle" size="compact-md">
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{keyName}</Menu.Label>
        <Menu.Label>{t('account.language')}</Menu.Label>
        {(Object.keys(languages) as Language[]).map((language) => (
          <Menu.Item key={language} lang={language} onClick={() => void changeLanguage(language)}>
            {languages[language]}
          </Menu.Item>
        ))}
        <Menu.Label>{t('account.colours')}</Menu.Label>
        {SCHEMES.map((scheme) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={colorScheme === scheme}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`account.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void leave()}>{t('account.signOut')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
