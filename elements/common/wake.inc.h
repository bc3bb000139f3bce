/* CONTROL of elements whose handlers may open an output for pulling: wakes downstream elements. Included once for each instance;
 * runtime only.
 */
CONTROL()
{
	wake_pullers();
	return 0;
}
