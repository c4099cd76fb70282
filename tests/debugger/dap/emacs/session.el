;;; session.el --- A session of Emacs's dap-mode with `lockstep dap', in batch -*- lexical-binding: t -*-

;; emacs --batch -l session.el LOCKSTEP ROOT
;; A client that was not written for Lockstep: breakpoints set in a buffer, a launch, steps, expressions, a step back by the
;; protocol's own request; then a launch that waits for an editor.  Prints one line for each thing that dap-mode holds true then; test_emacs.py compares them.

(package-initialize)
(require 'dap-mode)
(require 'dap-ui)

(defvar session-lockstep (pop command-line-args-left))
(defvar session-root (file-name-as-directory (pop command-line-args-left)))
(defvar session-file (concat session-root "tests/debugger/dap/kernels/rows.py"))
(setq dap-breakpoints-file (make-temp-file "breakpoints")
      dap-auto-configure-features nil
      dap-auto-show-output nil
      dap-print-io (getenv "SESSION_PRINT_IO")
      dap-inhibit-io nil
      lsp-session-file (make-temp-file "lsp-session"))

(defun session-say (format &rest arguments)
  "Print a line of the transcript."
  (princ (concat (apply #'format format arguments) "\n")))

(defun session-wait (what condition)
  "Wait until CONDITION holds; WHAT is for the message if it never does."
  (let ((end (+ (float-time) 60)))
    (while (not (funcall condition))
      (when (> (float-time) end)
        (session-say "never: %s" what)
        (kill-emacs 1))
      (accept-process-output nil 0.05))))

(defun session-stopped ()
  "Wait until dap-mode has gone to a frame; say where it is and why."
  (session-wait "stopped" (lambda () (and (dap--cur-session) (dap--debug-session-active-frame (dap--cur-session)))))
  (let* ((session (dap--cur-session))
         (frame (dap--debug-session-active-frame session))
         (thread (dap--debug-session-thread-id session)))
    (session-say "stopped: %s, thread %s, %s line %s, point in %s line %s"
                 (gethash thread (dap--debug-session-thread-states session))
                 thread
                 (gethash "name" frame)
                 (gethash "line" frame)
                 (buffer-name (window-buffer (selected-window)))
                 (with-current-buffer (find-buffer-visiting session-file) (line-number-at-pos)))))

(defun session-evaluate (expression)
  "What EXPRESSION is in the active frame."
  (let ((frame (dap--debug-session-active-frame (dap--cur-session))))
    (session-say "%s = %s" expression
                 (gethash "result" (dap-request (dap--cur-session) "evaluate"
                                                :expression expression :frameId (gethash "id" frame) :context "watch")))))

(defun session-command (line)
  "What the console answers to LINE."
  (let ((frame (dap--debug-session-active-frame (dap--cur-session))))
    (session-say "%s: %s" line
                 (gethash "result" (dap-request (dap--cur-session) "evaluate"
                                                :expression line :frameId (gethash "id" frame) :context "repl")))))

(defun session-back (command)
  "Send COMMAND, for which dap-mode has no key, as its own commands do."
  (dap--step command (dap--cur-session)))

(dap-register-debug-provider
 "lockstep"
 (lambda (conf) (plist-put conf :dap-server-path (list session-lockstep "dap"))))

(find-file session-file)
(goto-char (point-min))
(search-forward "total += scale")
(dap-breakpoint-add)

(dap-debug (list :type "lockstep" :request "launch" :name "rows" :cwd session-root
                 :program (concat session-file "::rows")
                 :args ["--grid=3" "x=arange:f32[3,20]" "out=zeros:f32[3,8]" "columns=20" "factor=2.0" "BLOCK=8"]))
(session-stopped)
(session-evaluate "k")
(session-evaluate "max(value)")
(session-command "info tiles")
(dap-step-in (dap--cur-session))
(session-stopped)
(dap-next (dap--cur-session))
(session-stopped)
(session-evaluate "max(scaled)")
(dap-step-out (dap--cur-session))
(session-stopped)
(call-interactively #'dap-continue)
(session-stopped)
(session-evaluate "k")
(session-back "reverseContinue")
(session-stopped)
(session-evaluate "k")
(session-back "stepBack")
(session-stopped)
(let ((names (mapcar (lambda (thread) (gethash "name" thread)) (dap--debug-session-threads (dap--cur-session)))))
  (session-say "threads: %s" (string-join names "; ")))
(with-current-buffer (find-buffer-visiting session-file)
  (goto-char (point-min))
  (search-forward "total += scale")
  (call-interactively #'dap-breakpoint-delete))
(call-interactively #'dap-continue)
(session-stopped)
(session-evaluate "out[2,0]")
(call-interactively #'dap-disconnect)
(session-wait "end" (lambda () (not (process-live-p (dap--debug-session-proc (dap--cur-session))))))
(session-say "exit code %s" (process-exit-status (dap--debug-session-proc (dap--cur-session))))

(defvar session-waiting
  (let ((default-directory session-root))
    (make-process :name "waiting" :connection-type 'pipe :stderr (get-buffer-create "waiting") :noquery t
                  :command (list session-lockstep "debug" (concat session-file "::rows") "--grid=3" "x=arange:f32[3,20]"
                                 "out=zeros:f32[3,8]" "columns=20" "factor=2.0" "BLOCK=8" "--listen" "0"))))
(defvar session-port nil)
(session-wait "port" (lambda ()
                       (with-current-buffer "waiting"
                         (goto-char (point-min))
                         (when (re-search-forward "127\\.0\\.0\\.1:\\([0-9]+\\)" nil t)
                           (setq session-port (string-to-number (match-string 1)))))))
(dap-register-debug-provider "lockstep-waiting" #'identity)
(dap-debug (list :type "lockstep-waiting" :request "attach" :name "waits" :cwd session-root
                 :host "127.0.0.1" :debugServer session-port))
(session-wait "attached" (lambda () (string= "waits" (dap--debug-session-name (dap--cur-session)))))
(session-stopped)
(dap-next (dap--cur-session))
(session-stopped)
(session-evaluate "row")
(session-back "stepBack")
(session-stopped)
(call-interactively #'dap-disconnect)
(session-wait "end of what waited" (lambda () (not (process-live-p session-waiting))))
(session-say "exit code %s" (process-exit-status session-waiting))
