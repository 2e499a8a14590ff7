/** Advice of problems in German. */
export const problems = {
  'body_too_large.smaller': 'Senden Sie weniger auf einmal und laden Sie Dateien als Upload hoch.',
  'changed_meanwhile.chapter':
    'Das Kapitel hat inzwischen einen anderen Text. Wählen Sie die Stelle erneut aus.',
  'changed_meanwhile.merge':
    'Laden Sie den aktuellen Stand, übernehmen Sie Ihre Änderung und speichern Sie erneut.',
  'changed_meanwhile.newer_version':
    'Es gibt eine neuere Fassung. Vergleichen Sie damit und entscheiden Sie neu.',
  'changed_meanwhile.text': 'Der Text wurde seit der Auswahl geändert. Wählen Sie die Stelle erneut aus.',
  'chapter_empty.no_text': 'Das Kapitel enthält keinen Text, den man ändern könnte.',
  'chapter_empty.set_state': 'Das Kapitel braucht Text, bevor sein Status gesetzt werden kann.',
  'checkpoint_unusable.file_gone':
    'Eine Datei dieses Stands gibt es nicht mehr. Wählen Sie einen anderen Stand.',
  'checkpoint_unusable.fork_too_new':
    'Der neueste Lauf der Abzweigung hat noch keinen Stand. Warten Sie einen Moment.',
  'checkpoint_unusable.keys_missing':
    'Der Stand stammt von einer älteren Version des Graphen, und ihm fehlt {keys}. Wählen Sie einen anderen Stand.',
  'checkpoint_unusable.kind': 'Diese Version unterstützt Läufe der Art {kind} nicht.',
  'checkpoint_unusable.node_gone':
    'Der Stand stammt von einer älteren Version des Graphen, und dessen Knoten „{node}“ gibt es nicht mehr. Wählen Sie einen anderen Stand.',
  'checkpoint_unusable.rolled_back':
    'Der Lauf wurde rückgängig gemacht, deshalb lässt sich keiner seiner Stände fortsetzen.',
  'checkpoint_unusable.text_only':
    'Von diesem benannten Stand ist nur der Text gespeichert. Stellen Sie ihn mit POST …/checkpoints/ID/restore wieder her.',
  'corpus_empty.add_texts':
    'Fügen Sie Texte hinzu und warten Sie, bis sie indiziert sind, oder ändern Sie den Filter nach Autor, Herkunft oder Sprache.',
  'cost_quota_exceeded.spent':
    'Der Mandant hat {spent} von {limit} ausgegeben. Warten Sie bis zum nächsten Monat oder bitten Sie den Betreiber, das Limit zu erhöhen.',
  'cross_site_request.browser':
    'Ein angemeldeter Browser kann nur von Seiten dieses Dienstes aus etwas ändern. Programme müssen einen API-Schlüssel senden.',
  'cross_site_request.other_site': 'Die Anfrage kommt von der Seite einer anderen Website.',
  'decision_answered.accepted': 'Die Änderung wurde bereits angenommen.',
  'decision_answered.different':
    'Die erste Antwort gilt, und sie lautete anders. Öffnen Sie die Frage, um sie zu sehen.',
  'decision_answered.early': 'Die erste Antwort gilt. Rufen Sie die Antworten ab, um sie zu sehen.',
  'decision_answered.failed': 'Die Änderung ist fehlgeschlagen.',
  'decision_answered.proposed': 'Über die Änderung wurde noch nicht entschieden.',
  'decision_answered.proposing': 'Die Änderung wird noch vorbereitet.',
  'decision_answered.rejected': 'Die Änderung wurde bereits abgelehnt.',
  'decision_stale.no_approval': 'Der Plan wartet an diesem Punkt nicht auf eine Freigabe.',
  'decision_stale.no_command': 'Der Plan wartet nicht auf einen Befehl zum Fortfahren.',
  'decision_stale.not_waiting': 'Der Lauf wartet nicht mehr auf diese Antwort.',
  'diff_too_large.bytes': 'Manuskripte über {max} Bytes lassen sich nicht vergleichen.',
  'diff_too_large.manuscripts': 'Vergleichen Sie ähnlichere Fassungen oder laden Sie beide herunter.',
  'diff_too_large.versions': 'Die Fassungen unterscheiden sich zu stark. Vergleichen Sie ähnlichere.',
  'empty_upload.answer_file': '„{name}“ ist leer. Senden Sie den Inhalt oder lassen Sie die Datei aus.',
  'empty_upload.no_file': 'Senden Sie mindestens eine Datei als Teil von multipart/form-data.',
  'file_exists.different':
    'Es gibt hier bereits eine andere Datei namens „{name}“. Löschen Sie diese zuerst oder benennen Sie die neue um.',
  'file_in_use.active_run': 'Warten Sie, bis der aktive Lauf endet, oder brechen Sie ihn ab.',
  'file_too_large.base64': 'Laden Sie die Datei selbst herunter: Entfernen Sie „/base64“ aus der URL.',
  'file_too_large.input': '„{name}“ ist größer als {limit} MB. Teilen Sie die Datei auf.',
  'file_too_large.resource': 'Die Ressource ist größer als 8 MiB. Laden Sie sie über die API herunter.',
  'file_too_large.split': 'Eine Datei ist zu groß. Teilen Sie sie auf oder wenden Sie sich an den Betreiber.',
  'forbidden.cannot_grant':
    'Ihr Schlüssel kann diese Berechtigung nicht vergeben, weil er sie selbst nicht hat: {scopes}.',
  'forbidden.link_from_token':
    'Mit einem Token lässt sich kein Anmeldelink erstellen. Senden Sie den API-Schlüssel.',
  'forbidden.no_scope': 'Dafür ist die Berechtigung „{scope}“ nötig; Sie haben keine.',
  'forbidden.scope': 'Dafür ist die Berechtigung „{scope}“ nötig; Sie haben: {scopes}.',
  'forbidden.token_from_token':
    'Mit einem Token lässt sich kein weiteres erstellen. Senden Sie den API-Schlüssel.',
  'headers_too_large.shorter': 'Senden Sie weniger oder kürzere Header oder eine kürzere URL.',
  'idempotency_key_reused.new_key': 'Verwenden Sie für eine andere Anfrage einen neuen Schlüssel.',
  'idempotency_outcome_unknown.check_effect':
    'Die erste Anfrage wurde unterbrochen. Prüfen Sie, ob sie gewirkt hat; wenn nicht, senden Sie sie mit einem neuen Schlüssel.',
  'idempotency_under_way.wait': 'Warten Sie einen Moment und senden Sie die Anfrage erneut.',
  'internal_error.retry':
    'Versuchen Sie es erneut. Wenn es wieder fehlschlägt, nennen Sie dem Betreiber die Anfrage-ID der Antwort.',
  'invalid_answer.file_choice':
    'Wählen Sie eine vorhandene Datei, laden Sie eine hoch oder lassen Sie sie aus.',
  'invalid_answer.json_or_multipart':
    'Senden Sie ein JSON-Objekt oder multipart/form-data mit einem Teil je Verweis.',
  'invalid_answer.paragraph_ids': 'Verwenden Sie die Absatz-IDs aus details.paragraphs.',
  'invalid_answer.plan_arguments': 'Nur Argumente von Aufgaben der nächsten Stufe lassen sich ändern.',
  'invalid_answer.schema': 'Einige Angaben der Antwort passen nicht zur Frage.',
  'invalid_file_name.rename': 'Der Dateiname {problem}. Benennen Sie die Datei um und senden Sie sie erneut.',
  'invalid_request.bibliography':
    'Der Text ist kein Literaturverzeichnis in BibTeX oder CSL-JSON, oder er hat keine Einträge.',
  'invalid_request.csl_style':
    'Das ist ein CSL-Zitierstil; solche Stile werden nicht unterstützt. Importieren Sie BibTeX oder CSL-JSON und wählen Sie für den Export den Stil chicago, apa, mla oder numeric.',
  'invalid_request.one_reference': 'Senden Sie für eine Quelle genau einen Eintrag.',
  'invalid_request.assignee': 'Weisen Sie die Fragen einem API-Schlüssel des Mandanten zu.',
  'invalid_request.body': 'Einige Angaben sind ungültig.',
  'invalid_request.characters':
    'Die Anfrage enthält ein NUL-Zeichen oder ein halbes Surrogatpaar. Entfernen Sie es und senden Sie die Anfrage erneut.',
  'invalid_request.compare_what':
    'Geben Sie an, was verglichen werden soll: „with“, „version“ oder „with_version“.',
  'invalid_request.cursor': 'Übergeben Sie „next_cursor“ der vorigen Seite unverändert.',
  'invalid_request.encoding':
    'Diese Zeichenkodierung ist unbekannt. Verwenden Sie zum Beispiel windows-1250 oder utf-16le.',
  'invalid_request.expiry': 'Das Ablaufdatum eines Schlüssels muss in der Zukunft liegen.',
  'invalid_request.files_per_request': 'Senden Sie höchstens {max} Dateien in einer Anfrage.',
  'invalid_request.idempotency_key': 'Senden Sie einen Schlüssel wie eine UUID.',
  'invalid_request.intent_or_dag': 'Übergeben Sie „intent“, „dag“ oder „template“.',
  'invalid_request.nested': 'Der Inhalt ist tiefer als {max} Ebenen verschachtelt. Flachen Sie ihn ab.',
  'invalid_request.query': 'Einige Parameter sind ungültig.',
  'invalid_request.text_too_hard':
    'Das Einlesen des Textes dauert zu lange. Teilen Sie ihn auf mehrere Kapitel auf.',
  'invalid_request.texts_too_hard':
    'Das Einlesen des Textes dauert zu lange. Teilen Sie ihn auf mehrere Texte auf.',
  'invalid_request.unknown_changes':
    'Nur Änderungen zwischen diesen beiden Fassungen können entschieden werden.',
  'invalid_request.unknown_inputs': 'Die Sitzung hat keine Dateien mit diesen Namen: {names}.',
  'last_admin_key.create_another':
    'Erstellen Sie zuerst einen anderen unbefristeten Schlüssel mit der Berechtigung admin oder erneuern Sie diesen.',
  'malformed_json.empty': 'Laut Inhaltstyp ist die Anfrage JSON, sie hat aber keinen Inhalt.',
  'malformed_json.not_utf8': 'Der Inhalt ist nicht UTF-8. JSON muss UTF-8 sein.',
  'malformed_json.send_json': 'Senden Sie gültiges JSON.',
  'malformed_json.unreadable': 'Die Anfrage war nicht lesbar. Prüfen Sie Inhalt und Header.',
  'malformed_multipart.boundary':
    'Der Inhaltstyp muss die Trennzeichenfolge zwischen den Teilen enthalten, höchstens 70 Zeichen lang.',
  'malformed_multipart.incomplete':
    'Der Upload ist unvollständig, oder seine Teile sind nicht durch die angegebene Zeichenfolge getrennt. Laden Sie die Dateien erneut hoch.',
  'malformed_multipart.rename_part': 'Benennen Sie den Teil um.',
  'malformed_request.not_http': 'Die Anfrage ist kein gültiges HTTP.',
  'mcp_server_exists.name':
    'Wählen Sie einen anderen Namen als „{name}“ oder löschen Sie den vorhandenen Server.',
  'method_not_allowed.methods': 'Verwenden Sie eine dieser Methoden: {methods}.',
  'model_failed.ask_again': '{reason} Fragen Sie noch einmal.',
  'model_failed.send_again':
    '{reason} Senden Sie die Nachricht noch einmal oder füllen Sie das Formular aus.',
  'model_price_unknown.set_price':
    'Es gilt ein Kostenbudget, aber das Modell hat keinen Preis. Tragen Sie ihn bei Ihrem Modell ein, bitten Sie den Betreiber darum (MODEL_PRICES) oder begrenzen Sie stattdessen die Tokens (max_tokens).',
  'no_corpus.add_texts':
    'Fügen Sie einer Sammlung mit dem Zweck Stil Texte hinzu, oder wählen Sie die allgemeinen Regeln, um den Text ohne Stilkorpus zu prüfen.',
  'needs_model.chapter':
    'Es ist kein Modell eingerichtet, das Anmerkungen zu einem Kapitel umsetzen könnte. Bearbeiten Sie den Text selbst oder richten Sie ein Modell ein.',
  'needs_model.outline':
    'Es ist kein Modell eingerichtet, das Anmerkungen zur Gliederung umsetzen könnte. Geben Sie die Änderungen als Operationen an ({operations}), ändern Sie die Gliederung selbst oder richten Sie ein Modell ein.',
  'needs_model.plan':
    'Es ist kein Modell eingerichtet, das einen Plan für ein Ziel erstellen könnte. Starten Sie eine Vorlage ({templates}), geben Sie den Plan als Graphen an oder richten Sie ein Modell ein.',
  'needs_model.profile':
    'Es ist kein Modell eingerichtet, das Nachrichten über das Buch lesen könnte. Füllen Sie die Felder des Profils aus ({fields}) oder richten Sie ein Modell ein.',
  'needs_model.profile_rules':
    'Regeln beantworten keine Nachrichten mehr. Füllen Sie die Felder des Profils aus ({fields}) oder senden Sie die Nachricht noch einmal an das Modell.',
  'no_embeddings.lexical':
    'Verwenden Sie den Suchmodus „lexical“ oder richten Sie ein Embedding-Modell für Ihren Endpunkt oder die Installation ein.',
  'no_inputs.no_usable': 'Keine der Dateien ist ein Text, ein Dokument oder ein Bild.',
  'no_inputs.upload': 'Laden Sie mindestens eine Datei hoch, bevor Sie einen Lauf starten.',
  'no_manuscript.not_started':
    'Es gibt noch kein Manuskript. Starten Sie einen Lauf oder warten Sie auf das erste Kapitel.',
  'no_manuscript.nothing_to_change':
    'Es gibt noch keinen Text, den man ändern könnte. Starten Sie einen Lauf und warten Sie auf das Ergebnis.',
  'no_manuscript.of_session': 'Die Sitzung {session} hat noch kein Manuskript.',
  'no_model.change':
    'Regeln können einen Text nicht nach Anweisung ändern. Bearbeiten Sie ihn selbst, richten Sie ein Modell ein oder bitten Sie den Betreiber darum.',
  'no_model.nothing_to_check':
    'Es gibt kein Modell, das geprüft werden könnte. Richten Sie eines mit „scriptorium model set“ ein, oder der Betreiber setzt OPENAI_MODEL und OPENAI_API_KEY (irgendeinen Wert, wenn der Server keinen Schlüssel braucht).',
  'no_proposal.ended':
    'Der Lauf endete ohne Vorschlag; sein Fehler nennt den Grund. Starten Sie einen neuen Lauf.',
  'no_proposal.still_working': 'Der Lauf arbeitet noch. Warten Sie, bis er endet.',
  'not_a_fork.other_session': 'Nur eine Sitzung, die von dieser abgezweigt wurde, kann übernommen werden.',
  'not_assignee.wrong_key':
    'Nur der Schlüssel, dem die Frage zugewiesen ist, oder ein Schlüssel mit der Berechtigung admin darf sie beantworten.',
  'not_found.active_key': 'Diesen API-Schlüssel gibt es nicht, oder er ist nicht mehr gültig.',
  'not_found.book': 'Das Buch wurde nicht gefunden.',
  'not_found.chapter': 'Das Kapitel wurde nicht gefunden.',
  'not_found.chapter_version': 'Das Kapitel oder die Fassung wurde nicht gefunden.',
  'not_found.checkpoint': 'Der Lauf hat keinen Stand {checkpoint}.',
  'not_found.checkpoint_of_run':
    'Der Lauf hat keinen Stand mit dieser ID. Sein Verlauf zeigt die vorhandenen.',
  'not_found.collection': 'Die Sammlung wurde nicht gefunden.',
  'not_found.decision': 'Die Frage wurde nicht gefunden.',
  'not_found.decision_deleted': 'Die Frage wurde mit ihrer Sitzung gelöscht.',
  'not_found.export': 'Es gibt hier keine Ausgabedatei mit dieser ID.',
  'not_found.failed_job':
    'In den Warteschlangen {queues} gibt es keinen fehlgeschlagenen Auftrag mit dieser ID.',
  'not_found.finding':
    'Der Text hat keinen Befund mit dieser ID. Vielleicht hat er sich inzwischen geändert: Lesen Sie ihn neu.',
  'not_found.fork': 'Die Sitzung in „fork_session_id“ wurde nicht gefunden.',
  'not_found.image': 'Die Sitzung enthält kein Bild mit diesem Verweis.',
  'not_found.input': 'Es gibt hier keine Datei mit diesem Namen.',
  'not_found.key': 'Der API-Schlüssel wurde nicht gefunden.',
  'not_found.mcp_server': 'Der MCP-Server wurde nicht gefunden.',
  'not_found.named_checkpoint': 'Es gibt hier keinen benannten Stand mit dieser ID.',
  'not_found.named_checkpoint_of_run': 'Der Lauf hat keinen benannten Stand mit dieser ID.',
  'not_found.not_indexed': 'Die Quelle wurde noch nicht indiziert.',
  'not_found.parent_deleted': 'Das übergeordnete Element wurde inzwischen gelöscht.',
  'not_found.path': 'Diesen Pfad gibt es nicht, oder er unterstützt die Methode nicht.',
  'not_found.plan': 'Der Plan wurde nicht gefunden.',
  'not_found.result': 'Es gibt hier kein Ergebnis dieser Art mit diesem Namen.',
  'not_found.run': 'Der Lauf wurde nicht gefunden.',
  'not_found.run_of_session': 'Die Sitzung hat keinen Lauf mit dieser ID.',
  'not_found.secret': 'Das Geheimnis wurde nicht gefunden.',
  'not_found.session': 'Die Sitzung wurde nicht gefunden.',
  'not_found.session_gone': 'Die Sitzung wurde nicht gefunden.',
  'not_found.source': 'Die Quelle wurde nicht gefunden.',
  'not_found.task_result': 'Der Plan hat kein Ergebnis für diese Aufgabe.',
  'not_found.tenant': 'Der Mandant wurde nicht gefunden.',
  'not_found.thread_article':
    'In diesem Gespräch gibt es noch keinen Artikel. Senden Sie „inputs“, um einen zu beginnen.',
  'not_found.thread_question': 'In diesem Gespräch gibt es keine offene Frage mit dieser ID.',
  'not_found.tool_of_server': 'Der Server hat kein Werkzeug namens „{tool}“.',
  'not_found.url': 'Der Pfad ist keine gültige URL.',
  'not_found.version': 'Die Fassung wurde nicht gefunden.',
  'not_found.version_or_checkpoint': 'Es gibt hier keine Fassung und keinen benannten Stand mit dieser ID.',
  'not_found.webhook': 'Der Webhook wurde nicht gefunden.',
  'not_text.binary':
    '„{name}“ heißt wie eine Textdatei, enthält aber Binärdaten. Korrigieren Sie die Dateiendung oder lassen Sie die Datei weg.',
  'not_text.nul':
    "„{name}“ enthält NUL-Bytes, wie ein Protokoll, das gekürzt wurde, während ein Programm es schrieb. Entfernen Sie sie: tr -d '\\000' < DATEI.",
  'not_utf8.guess':
    '„{name}“ ist nicht in UTF-8 kodiert. Die Kodierung sieht aus wie: {guess}. Wandeln Sie die Datei um oder senden Sie sie mit ?encoding=NAME, dann wird sie umgewandelt (?encoding=MUSTER=NAME für alle Dateien mit passendem Namen).',
  'not_utf8.other_encoding': '„{name}“ ist weder UTF-8 noch {encoding}. Geben Sie die Zeichenkodierung an.',
  'precondition_required.chapter':
    'Senden Sie den ETag des bearbeiteten Kapitels als If-Match, damit Sie keine Änderungen anderer überschreiben.',
  'request_timeout.body': 'Der Inhalt ist nicht rechtzeitig angekommen. Senden Sie ihn erneut.',
  'request_timeout.headers': 'Die Header sind nicht rechtzeitig angekommen.',
  'run_active.cancel_first': 'Brechen Sie zuerst den laufenden Lauf ab oder warten Sie, bis er endet.',
  'run_active.wait': 'Warten Sie, bis der aktive Lauf endet, oder brechen Sie ihn ab.',
  'run_finished.no_book_writer': 'Gerade schreibt kein Lauf das ganze Buch, es gibt also nichts anzuhalten.',
  'run_finished.no_more_questions': 'Der Lauf ist beendet und stellt keine Fragen mehr.',
  'run_finished.nothing_to_cancel': 'Der Lauf ist bereits beendet; es gibt nichts abzubrechen.',
  'run_finished.plan': 'Der Plan ist bereits beendet.',
  'run_finished.plan_ending': 'Der Plan ist beendet oder endet gerade.',
  'secret_exists.name':
    'Wählen Sie einen anderen Namen als „{name}“ oder ändern Sie das vorhandene Geheimnis.',
  'source_unreadable.old_word':
    '{name} hat das alte Word-Format. Speichern Sie die Datei als .docx (in Word: Speichern unter; ohne Word: soffice --convert-to docx) und senden Sie diese.',
  'source_unreadable.unknown_type':
    'Aus {name} lässt sich kein Text lesen. Möglich sind Text, Markdown, PDF, Word (.docx), RTF, OpenDocument, Excel (.xlsx), PowerPoint (.pptx), EPUB, HTML, Notebooks und CSV.',
  'storage_quota_exceeded.used':
    'Der Mandant belegt {used} von {limit} Bytes. Löschen Sie Dokumente oder Dateien oder bitten Sie den Betreiber, das Limit zu erhöhen.',
  'storage_quota_exceeded.would_use':
    'Der Mandant würde {used} von {limit} Bytes belegen. Löschen Sie Quellen oder Dokumente oder bitten Sie den Betreiber, das Limit zu erhöhen.',
  'task_over.restore': 'Der Mandant kann den Lauf ab einem Stand fortsetzen oder einen neuen starten.',
  'tenant_suspended.ask_operator': 'Bitten Sie den Betreiber des Dienstes, die Sperre aufzuheben.',
  'token_quota_exceeded.used':
    'Der Mandant hat {used} von {limit} Tokens verbraucht. Warten Sie bis zum nächsten Monat oder bitten Sie den Betreiber, das Limit zu erhöhen.',
  'too_many_chapters.max': 'Ein Buch kann höchstens {max} Kapitel haben.',
  'too_many_collections.max': 'Löschen Sie zuerst eine Sammlung; ein Mandant kann {max} haben.',
  'too_many_files.files_per_request': 'Senden Sie weniger Dateien auf einmal.',
  'too_many_files.parts_per_request': 'Senden Sie weniger Teile auf einmal.',
  'too_many_files.session_has':
    'Höchstens {max} Dateien sind möglich, {count} sind es schon. Verteilen Sie sie auf mehrere Dokumente oder bitten Sie den Betreiber, das Limit zu erhöhen.',
  'too_many_files.session_max':
    'Höchstens {max} Dateien sind möglich. Verteilen Sie sie auf mehrere Dokumente oder bitten Sie den Betreiber, das Limit zu erhöhen.',
  'too_many_keys.max':
    'Ein Mandant kann höchstens {max} gültige Schlüssel haben. Widerrufen Sie zuerst einen oder erneuern Sie einen ohne Übergangsfrist.',
  'too_many_mcp_servers.max': 'Löschen Sie zuerst einen Server; ein Mandant kann {max} haben.',
  'too_many_requests.address':
    'Von Ihrer Adresse kamen zu viele Anfragen mit ungültigen Zugangsdaten. Versuchen Sie es in {seconds} s erneut.',
  'too_many_requests.key':
    'Der Schlüssel darf {max} Anfragen pro Minute senden. Versuchen Sie es in {seconds} s erneut.',
  'too_many_requests.tenant':
    'Alle Schlüssel des Mandanten zusammen dürfen {max} Anfragen pro Minute senden. Versuchen Sie es in {seconds} s erneut.',
  'too_many_secrets.max': 'Löschen Sie zuerst ein Geheimnis; ein Mandant kann {max} haben.',
  'too_many_webhooks.max': 'Löschen Sie zuerst einen Webhook; ein Mandant kann {max} haben.',
  'transcript_unavailable.address':
    'Senden Sie die Adresse eines YouTube-Videos, zum Beispiel https://www.youtube.com/watch?v=…',
  'transcript_unavailable.empty':
    'YouTube hat leere Untertitel für das Video geliefert. Laden Sie die Untertitel als .vtt oder .srt hoch.',
  'transcript_unavailable.no_captions': 'Das Video hat keine öffentlichen Untertitel.',
  'transcript_unavailable.no_response':
    'YouTube hat keine Untertitel geliefert. Laden Sie die Untertitel als .vtt oder .srt hoch.',
  'transcript_unavailable.no_text': 'Die Untertitel des Videos enthalten keinen Text.',
  'transcript_unavailable.not_played': 'YouTube spielt das Video nicht ab: {reason}',
  'transcript_unavailable.not_webvtt': 'Die Untertitel des Videos sind nicht lesbar.',
  'transcript_unavailable.other_host': 'Die Untertitel liegen auf einem unerwarteten Server.',
  'transcript_unavailable.other_languages': 'Das Video hat Untertitel in: {languages}.',
  'transcript_unavailable.unreadable':
    'Die Antwort von YouTube war nicht lesbar. Laden Sie die Untertitel als .vtt oder .srt hoch.',
  'transcripts_off.upload_captions':
    'Laden Sie die Untertitel als .vtt oder .srt hoch oder bitten Sie den Betreiber, YOUTUBE_TRANSCRIPTS einzuschalten.',
  'unauthorized.audience':
    'Das Token gilt für eine andere Gegenstelle. Erstellen Sie eines für „{audience}“ oder senden Sie den API-Schlüssel.',
  'unauthorized.key_ended': 'Der API-Schlüssel ist soeben abgelaufen oder wurde widerrufen.',
  'unauthorized.link_used':
    'Der Link wurde bereits benutzt oder ist älter als fünf Minuten. Erstellen Sie einen neuen oder melden Sie sich mit einem API-Schlüssel an.',
  'unauthorized.operator': 'Senden Sie die Zugangsdaten des Betreibers (HTTP Basic).',
  'unauthorized.send_key': 'Senden Sie einen gültigen API-Schlüssel als „Authorization: Bearer scr_…“.',
  'unauthorized.session_ended': 'Die Anmeldung ist abgelaufen. Melden Sie sich erneut an.',
  'unauthorized.stream': 'Der API-Schlüssel ist abgelaufen oder wurde widerrufen. Der Lauf arbeitet weiter.',
  'unavailable.copy_slow': 'Das Kopieren hat zu lange gedauert. Senden Sie die Anfrage erneut.',
  'unavailable.deleting':
    'Die Dateien eines früheren Versuchs werden noch gelöscht. Versuchen Sie es in einer Stunde erneut.',
  'unavailable.retry': 'Senden Sie die Anfrage in {seconds} s erneut.',
  'unsupported_media_type.compressed': 'Senden Sie den Inhalt unkomprimiert, ohne Content-Encoding.',
  'unsupported_media_type.multipart': 'Senden Sie die Dateien als multipart/form-data.',
  'unsupported_media_type.send_json': 'Senden Sie application/json, oder multipart/form-data für Uploads.',
  'unsupported_media_type.send_multipart':
    'Senden Sie die Dateien als multipart/form-data, zum Beispiel mit curl -F file=@notizen.md.',
  'book_title.no_word': 'Ein Titel braucht mindestens ein Wort.',
  'book_title.placeholder': '„{title}“ ist ein Platzhalter. Welcher Titel soll auf dem Umschlag stehen?',
  'file_name.absolute': 'beginnt mit „/“; senden Sie den Pfad relativ zum Ordner der Quellen',
  'file_name.backslash': 'enthält „\\“; trennen Sie Ordner mit „/“',
  'file_name.empty': 'ist leer',
  'file_name.folder': 'endet mit „/“ und bezeichnet damit einen Ordner',
  'file_name.invisible': 'enthält ein Steuerzeichen oder ein unsichtbares Zeichen',
  'file_name.long': 'ist länger als {max} Bytes',
  'file_name.long_part': 'enthält einen Teil, der länger als {max} Bytes ist',
  'file_name.parent_folder': 'enthält „..“ als Ordner',
  'file_name.two_dots': 'enthält einen Teil, der mit „..“ beginnt',
  'file_name.unicode': 'ist kein gültiger Unicode-Text',
  'selection.ambiguous':
    'Die ausgewählten Worte kommen im Text mehrmals vor. Wählen Sie mehr Worte aus oder geben Sie an, welche Stelle gemeint ist.',
  'selection.few_lines': {
    one: 'Der Text hat nur {count} Zeile.',
    other: 'Der Text hat nur {count} Zeilen.',
  },
  'selection.fewer': 'Die ausgewählten Worte kommen im Text weniger als {count}-mal vor.',
  'selection.lines_reversed': 'Die letzte Zeile liegt vor der ersten.',
  'selection.no_words': 'Die Auswahl enthält keine Worte.',
  'selection.not_in_text': 'Der Text enthält die ausgewählten Worte nicht genau in dieser Form.',
  'selection.too_long': 'Wählen Sie höchstens {max} Zeichen auf einmal aus.',
  'url_refused.credentials': 'Die URL darf keine Zugangsdaten enthalten.',
  'url_refused.invalid': 'Die URL ist ungültig.',
  'url_refused.not_https': 'Die URL muss mit https:// beginnen.',
  'url_refused.not_public': 'Der Server darf nur öffentliche Adressen haben.',
  'url_refused.port': 'Der Port muss einer von diesen sein: {ports}.',
} as const;
