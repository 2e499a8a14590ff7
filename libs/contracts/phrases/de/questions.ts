/** Questions and their facts in German. */
export const questions = {
  'question.article_draft':
    'Der Entwurf zu „{topic}“ ist fertig. Nehmen Sie ihn an, lehnen Sie ihn mit einer Begründung ab, entscheiden Sie über einzelne Absätze oder reichen Sie einen bearbeiteten Text ein.',
  'question.article_duplicate':
    'Es gibt bereits einen Artikel zu einem sehr ähnlichen Thema: „{topic}“ ({date}). Soll dieser trotzdem geschrieben werden?',
  'question.article_research':
    'Die Recherche zu „{topic}“ ist abgeschlossen. Geben Sie den Bericht und die Überschriften frei, ändern Sie sie oder lassen Sie weitere Fragen recherchieren.',
  'question.article_shadow': {
    one: 'Der Text hat {count} Anmerkung. Geben Sie den korrigierten Text oder einzelne Änderungen frei oder lehnen Sie ihn mit einer Begründung ab.',
    other:
      'Der Text hat {count} Anmerkungen. Geben Sie den korrigierten Text oder einzelne Änderungen frei oder lehnen Sie ihn mit einer Begründung ab.',
  },
  'question.budget.run_cost':
    'Das Kostenbudget dieses Laufs reicht für den nächsten Schritt nicht: {spent} von {limit} sind verbraucht, {reserved} weitere reserviert, und der nächste Modellaufruf braucht bis zu {needed}. Soll es erhöht oder der Lauf beendet werden? Der bisherige Text ist gespeichert.',
  'question.budget.run_tokens':
    'Das Tokenbudget dieses Laufs reicht für den nächsten Schritt nicht: {spent} von {limit} Tokens sind verbraucht, {reserved} weitere reserviert, und der nächste Modellaufruf braucht bis zu {needed}. Soll es erhöht oder der Lauf beendet werden? Der bisherige Text ist gespeichert.',
  'question.budget.tenant_cost':
    'Das Kostenbudget des Mandanten für diesen Monat reicht für den nächsten Schritt nicht: {spent} von {limit} sind verbraucht, {reserved} weitere reserviert, und der nächste Modellaufruf braucht bis zu {needed}. Soll es erneut versucht werden, wenn der Betreiber es erhöht hat oder andere Läufe beendet sind, oder soll der Lauf enden? Der bisherige Text ist gespeichert.',
  'question.budget.tenant_tokens':
    'Das Tokenbudget des Mandanten für diesen Monat reicht für den nächsten Schritt nicht: {spent} von {limit} Tokens sind verbraucht, {reserved} weitere reserviert, und der nächste Modellaufruf braucht bis zu {needed}. Soll es erneut versucht werden, wenn der Betreiber es erhöht hat oder andere Läufe beendet sind, oder soll der Lauf enden? Der bisherige Text ist gespeichert.',
  'question.encodings': {
    one: '{count} Datei ist nicht in UTF-8 kodiert. Welche Zeichenkodierung hat sie? Die erste ist die wahrscheinlichste.',
    other:
      '{count} Dateien sind nicht in UTF-8 kodiert. Welche Zeichenkodierung haben sie? Die erste ist jeweils die wahrscheinlichste.',
  },
  'question.fix_exhausted': {
    one: 'Das Kapitel hat nach {attempts} Versuchen noch {count} Mangel. Soll er so bleiben, der Agent es noch einmal versuchen oder der Lauf abgebrochen werden?',
    other:
      'Das Kapitel hat nach {attempts} Versuchen noch {count} Mängel. Sollen sie so bleiben, der Agent es noch einmal versuchen oder der Lauf abgebrochen werden?',
  },
  'question.missing_references': '{question} Möchten Sie die Datei hochladen oder auslassen?',
  'question.model_failed':
    'Das Modell „{model}“ ist ausgefallen: {failure} {offer} Das bisher Geschriebene ist gespeichert.',
  'question.model_failed.by_rules': 'ohne Modell nach Regeln weiterarbeiten',
  'question.model_failed.replan_by_rules': 'die Änderung des Plans ohne Modell den Regeln überlassen',
  'question.model_failed.retry': 'Möchten Sie es erneut versuchen oder den Lauf beenden?',
  'question.model_failed.other_model':
    'Möchten Sie es erneut versuchen, ab jetzt das Modell „{other}“ verwenden oder den Lauf beenden?',
  'question.model_failed.rules': 'Möchten Sie es erneut versuchen, {rules} oder den Lauf beenden?',
  'question.model_failed.other_model_or_rules':
    'Möchten Sie es erneut versuchen, ab jetzt das Modell „{other}“ verwenden, {rules} oder den Lauf beenden?',
  'question.plan_agent': '{state} Soll der Plan weiterlaufen, neu geplant oder abgebrochen werden?',
  'question.plan_agent.after_layer': 'Stufe {layer} des Plans ist abgeschlossen.',
  'question.plan_agent.first': 'Noch keine Stufe des Plans wurde ausgeführt.',
  'question.plan_agent.requested': '{state} Ein Befehl hat eine Entscheidung verlangt.',
  'question.plan_agent.undecided': '{state} Das Modell hat keine gültige Entscheidung getroffen.',
  'question.plan_outcome':
    'Auf den Aufruf des Werkzeugs „{tool}“ für die Aufgabe „{task}“ kam keine Antwort: {error} Prüfen Sie, ob er gewirkt hat, und wählen Sie dann: wiederholen, als erledigt ohne Ergebnis markieren, als fehlgeschlagen markieren oder den Plan beenden.',
  'question.references.ambiguous': {
    one: 'Die Quellen verweisen auf {count} Datei mit einem Namen, den mehrere Dateien haben: {names}. Wählen Sie die richtige aus.',
    other:
      'Die Quellen verweisen auf {count} Dateien mit Namen, die jeweils mehrere Dateien haben: {names}. Wählen Sie jeweils die richtige aus.',
  },
  'question.references.missing': {
    one: 'Die Quellen verweisen auf {count} Datei, die nicht hochgeladen wurde: {names}.',
    other: 'Die Quellen verweisen auf {count} Dateien, die nicht hochgeladen wurden: {names}.',
  },
  'question.unreadable_files': {
    one: '{count} Datei ist nicht lesbar. Möchten Sie sie auslassen oder den Lauf beenden, um sie zu ersetzen?',
    other:
      '{count} Dateien sind nicht lesbar. Möchten Sie sie auslassen oder den Lauf beenden, um sie zu ersetzen?',
  },
  'fact.by_rules': 'Nach Regeln geschrieben, ohne Modell: {stages}',
  'fact.encoding.guess': '{name} sieht aus wie {encoding}: {preview}',
  'fact.encoding.likely': '{name} sieht aus wie {encoding} (zu {percent} % sicher): {preview}',
  'fact.encoding.other': '  oder {encoding}: {preview}',
  'fact.failed_step': 'Fehlgeschlagener Schritt: {operation}',
  'fact.issue': '{rule} {message}',
  'fact.issue_with_detail': '{rule} {message}: {detail}',
  'fact.issue_at_line': 'Zeile {line}: {rule} {message}',
  'fact.not_carried':
    '{name}: nicht übernommen: {missingLines} von {lines} Zeilen, {missingBytes} von {bytes} Bytes',
  'fact.partly_carried':
    '{name}: teilweise nicht übernommen: {missingLines} von {lines} Zeilen, {missingBytes} von {bytes} Bytes',
  'list.more': '{names} und {count} weitere',
  sentences: '{first} {rest}',
} as const;
