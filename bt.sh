. /opt/venv/bin/activate; export PYTHONPATH=/opt/w/h35run2 OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1; cd /opt/x/h35; rm -rf mo2
/usr/bin/time -f "batch 5000: cpu %U+%S wall %e mem %M KB" timeout 900 docparse-fast batch many -o mo2 --jobs 1 --target none -q > bt.log 2>&1; echo rc=$? >> bt.log
/usr/bin/time -f "cpu %U+%S" python harness.py 900 big/pages_5000.pdf >> bt.log 2>&1
