; The folder of the command line tools, where the app puts `lanyard.exe`, stands on the person's own PATH: nothing
; here needs an administrator. By PowerShell, for NSIS cuts off what is longer than its strings.

!macro lanyardPath VERB
  InitPluginsDir
  File "/oname=$PLUGINSDIR\path.ps1" "${BUILD_RESOURCES_DIR}\windows\path.ps1"
  nsExec::ExecToLog '"$SYSDIR\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "$PLUGINSDIR\path.ps1" ${VERB} "$LOCALAPPDATA\Lanyard\bin"'
  Pop $0
  ; Programs that start from now on see it.
  SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=5000
!macroend

!macro customInstall
  !insertmacro lanyardPath add
!macroend

!macro customUnInstall
  ; An update removes the old version first: its tools stay.
  ${ifNot} ${isUpdated}
    !insertmacro lanyardPath remove
    ; Where Windows finds the app when a notification is clicked (app/life/windows-identity.ts).
    DeleteRegKey HKCU "Software\Classes\CLSID\{D8C809BD-3688-4AC5-B271-6C7E36927D0F}"
  ${endIf}
!macroend
